extension Device.Provider {
    /// The push services of browsers, which require that each push shows something.
    package static let webpush = Device.Provider(name: "webpush", place: 3, silence: nil, manual: .webpush)
}
