/// Which push services browsers may name, and how they are reached.
package struct WebPushSettings: Sendable, Hashable {
    /// The hosts that an endpoint may have; see ``WebPushEndpoint``.
    package var hosts: [String]
    /// Replaces scheme, host and port of every endpoint, so that a stand-in can take the services' place:
    /// `https://localhost:4443`.
    package var endpoint: String?

    package init(hosts: [String], endpoint: String? = nil) {
        self.hosts = hosts
        self.endpoint = endpoint
    }
}
