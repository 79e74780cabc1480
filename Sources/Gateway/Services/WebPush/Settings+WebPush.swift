extension Settings {
    /// Browsers' push services; used when the first two are set.
    package struct WebPush: ServiceSettings {
        /// The VAPID key: PEM of an EC key on P-256.
        package var privateKeyPath: String?
        /// A contact for push services: a `mailto:` or `https:` URL (RFC 8292 §2.1).
        package var subject: String?
        /// The push services that browsers may name; a name with a leading dot stands for all names below it. The port
        /// is 443 unless one is written: `localhost:4443`.
        package var hosts = [
            "fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com",
        ]
        /// Replaces scheme, host and port of every subscription's endpoint.
        package var endpoint: String?
        package var caFile: String?
    }
}

extension Settings.Push {
    package var webPush: Settings.WebPush {
        get { byService[Settings.WebPush.self] }
        set { byService[Settings.WebPush.self] = newValue }
    }
}
