extension Settings {
    /// Google's push service, through its HTTP v1 interface; used when a service account is given.
    package struct FCM: ServiceSettings {
        /// The JSON file from Google's console.
        package var serviceAccountPath: String?
        package var endpoint: String?
        package var caFile: String?
    }
}

extension Settings.Push {
    package var fcm: Settings.FCM {
        get { byService[Settings.FCM.self] }
        set { byService[Settings.FCM.self] = newValue }
    }
}
