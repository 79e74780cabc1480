extension Device.Provider {
    /// Google's push service. A message has 4,096 bytes, and its data are strings: each quote in them has a backslash.
    package static let fcm = Device.Provider(
        name: "fcm", place: 1, silence: Silence(bytesForIDs: 3_072, bytesAroundID: 5), manual: .fcm)
}
