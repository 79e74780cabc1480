extension Settings {
    /// OneSignal; used when both are set.
    package struct OneSignal: ServiceSettings {
        package var appID: String?
        package var apiKey: Secret?
        package var endpoint: String?
        package var caFile: String?
    }
}

extension Settings.Push {
    package var oneSignal: Settings.OneSignal {
        get { byService[Settings.OneSignal.self] }
        set { byService[Settings.OneSignal.self] = newValue }
    }
}
