extension Device.Provider {
    /// Apple's push service. A payload has 4,096 bytes.
    package static let apns = Device.Provider(
        name: "apns", place: 0, silence: Silence(bytesForIDs: 3_584), manual: .apns)
}
