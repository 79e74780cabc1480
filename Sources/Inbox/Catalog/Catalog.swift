/// One app's description of its notifications: which events there are, who gets which type, and what each type says.
///
/// Loaded whole or not at all: see ``init(yaml:file:)``.
package struct Catalog: Sendable {
    /// Which recipient list gets which type.
    struct Route: Sendable {
        let list: String
        let type: NotificationType
    }

    /// What happens to events of one type, and where the catalog says so.
    struct EventRule: Sendable {
        let routes: [Route]
        let source: CatalogError.Place
    }

    package let name: String
    let source: CatalogError.Place
    let events: [String: EventRule]
    let types: [String: NotificationType]

    /// The event types that this catalog routes, sorted.
    package var eventTypes: [String] { events.keys.sorted() }
    /// The names of its notification types, sorted.
    package var typeNames: [String] { types.keys.sorted() }

    package func notificationType(named name: String) -> NotificationType? { types[name] }
}
