extension Device.Provider {
    /// OneSignal. Its messages have 2,048 bytes of data.
    package static let onesignal = Device.Provider(
        name: "onesignal", place: 2, silence: Silence(bytesForIDs: 1_536), manual: .onesignal)
}
