/// Where and as what to reach APNs.
package struct APNsSettings: Sendable, Hashable {
    /// The app's bundle id: the topic of all its pushes.
    package var bundleID: String
    /// Development builds of an app get their pushes from another host.
    package var isSandbox: Bool
    /// Replaces Apple's base URL, so that a stand-in can take its place: `https://localhost:4443`.
    package var endpoint: String?

    package init(bundleID: String, isSandbox: Bool, endpoint: String? = nil) {
        self.bundleID = bundleID
        self.isSandbox = isSandbox
        self.endpoint = endpoint
    }

    /// Scheme and host, without a slash at the end.
    package var baseURL: String {
        guard var endpoint else {
            return isSandbox ? "https://api.sandbox.push.apple.com" : "https://api.push.apple.com"
        }
        while endpoint.hasSuffix("/") { endpoint.removeLast() }
        return endpoint
    }
}
