extension Settings {
    /// Apple's push service. Used when the first four are set; setting only some of them is a mistake.
    package struct APNs: ServiceSettings {
        package var keyID: String?
        package var teamID: String?
        package var keyPath: String?
        package var bundleID: String?
        /// `app=bundle id` for each app with another bundle id than ``bundleID``.
        package var bundleIDs: [AppBundle] = []
        package var useSandbox = false
        /// Replaces Apple's own base URL.
        package var endpoint: String?
        /// Replaces the system's root certificates.
        package var caFile: String?
    }
}

extension Settings.Push {
    package var apns: Settings.APNs {
        get { byService[Settings.APNs.self] }
        set { byService[Settings.APNs.self] = newValue }
    }
}
