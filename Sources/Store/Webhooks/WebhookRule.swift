package import Inbox

/// Which endpoints hear of what.
package struct WebhookRule: Sendable {
    package struct Endpoint: Sendable, Hashable {
        /// Stays the same when its address changes: stored webhooks name it.
        package let name: String
        /// Nil for all apps.
        package let app: AppName?
        package let kinds: Set<WebhookKind>

        package init(name: String, app: AppName?, kinds: Set<WebhookKind>) {
            (self.name, self.app, self.kinds) = (name, app, kinds)
        }
    }

    package let endpoints: [Endpoint]
    /// Draws a webhook's id, which is unique; see ``WebhookID``. Called on the store's queue.
    package let makeID: @Sendable (Timestamp) -> String
    private let kinds: Set<WebhookKind>

    package init(_ endpoints: [Endpoint], makeID: @escaping @Sendable (Timestamp) -> String) {
        (self.endpoints, self.makeID) = (endpoints, makeID)
        kinds = endpoints.reduce(into: []) { $0.formUnion($1.kinds) }
    }

    /// Whether any endpoint hears of this.
    package func wants(_ kind: WebhookKind) -> Bool { kinds.contains(kind) }

    /// The names of those that hear of this.
    package func endpoints(for kind: WebhookKind, in app: AppName) -> [String] {
        endpoints.filter { $0.kinds.contains(kind) && ($0.app ?? app) == app }.map(\.name)
    }
}
