/// The push services that browsers may name, and the way to reach them.
package struct WebPushSettings: Sendable, Hashable {
    /// The hosts that an endpoint may have; see ``WebPushEndpoint``.
    package var hosts: [String]
    /// Replaces scheme, host and port of every endpoint, for a stand-in of all services: `https://localhost:4443`.
    package var endpoint: String?

    package init(hosts: [String], endpoint: String? = nil) {
        self.hosts = hosts
        self.endpoint = endpoint
    }
}
