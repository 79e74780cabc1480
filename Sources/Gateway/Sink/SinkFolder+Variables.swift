package import Transport

extension SinkFolder {
    /// The settings, by their names in the environment, that point a server at a sink that listens at `address`.
    ///
    /// Writes the service account's file, which names the address too.
    package func variables(for address: SocketAddress) throws -> [(name: String, value: String)] {
        let base = Self.baseURL(of: address)
        try writeServiceAccount(tokenURI: base + "/token")
        return [
            ("APNS_KEY_ID", identity.apnsKeyID), ("APNS_TEAM_ID", identity.apnsTeamID),
            ("APNS_KEY_PATH", apnsKeyFile), ("APNS_BUNDLE_ID", SinkIdentity.bundleID),
            ("APNS_ENDPOINT", base), ("APNS_CA_FILE", certificateFile),
            ("FCM_SERVICE_ACCOUNT_PATH", serviceAccountFile), ("FCM_ENDPOINT", base), ("FCM_CA_FILE", certificateFile),
            ("ONESIGNAL_APP_ID", identity.oneSignalAppID), ("ONESIGNAL_API_KEY", identity.oneSignalAPIKey.text),
            ("ONESIGNAL_ENDPOINT", base), ("ONESIGNAL_CA_FILE", certificateFile),
            ("VAPID_PRIVATE_KEY_PATH", vapidKeyFile), ("VAPID_SUBJECT", SinkIdentity.vapidSubject),
            ("WEBPUSH_ENDPOINT", base), ("WEBPUSH_CA_FILE", certificateFile),
            ("BELFRY_PUSH_WEB_PUSH_HOSTS", String(base.dropFirst("https://".count))),
        ]
    }

    /// How this machine reaches a sink that listens at `address`.
    static func baseURL(of address: SocketAddress) -> String {
        // The certificate is for this machine's own names, and nobody can connect to "any address".
        if case .tcp(let host, let port) = address, ["", "0.0.0.0", "::"].contains(host) {
            return "https://localhost:\(port)"
        }
        return "https://\(address)"
    }

    /// The origins under which a sink can be reached.
    static func origins(of address: SocketAddress) -> Set<String> {
        guard case .tcp(_, let port) = address else { return [] }
        return [
            baseURL(of: address), "https://localhost:\(port)", "https://127.0.0.1:\(port)", "https://[::1]:\(port)",
        ]
    }
}
