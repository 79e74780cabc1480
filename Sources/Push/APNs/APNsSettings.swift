/// The hosts and the topics for APNs.
package struct APNsSettings: Sendable, Hashable {
    /// The bundle id of apps that are absent in ``bundleIDs``: the topic of their pushes.
    package var bundleID: String
    /// The bundle id by app, as in ``Device/app``.
    package var bundleIDs: [String: String]
    /// For devices that did not tell their environment: development builds of an app get pushes from another host.
    package var isSandbox: Bool
    /// Replaces both base URLs of Apple, for a stand-in or a proxy:
    /// `https://localhost:4443`, `https://proxy.example/apns`.
    package var endpoint: String?

    package init(bundleID: String, bundleIDs: [String: String] = [:], isSandbox: Bool, endpoint: String? = nil) {
        self.bundleID = bundleID
        self.bundleIDs = bundleIDs
        self.isSandbox = isSandbox
        self.endpoint = endpoint
    }

    package func topic(of app: String) -> String { bundleIDs[app] ?? bundleID }

    /// Scheme and host, with a proxy's path, if any, and without a slash at the end (Apple, "Sending notification
    /// requests to APNs").
    package func baseURL(for environment: Device.Environment?) -> String {
        let isSandbox = environment.map { $0 == .sandbox } ?? isSandbox
        return BaseURL.text(
            endpoint, orElse: isSandbox ? "https://api.sandbox.push.apple.com" : "https://api.push.apple.com")
    }
}
