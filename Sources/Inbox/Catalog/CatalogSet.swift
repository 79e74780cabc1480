/// The catalogs of all apps that one Belfry serves.
package struct CatalogSet: Sendable {
    /// The part of an event's rule that every event needs.
    struct Routing: Sendable {
        let routes: [Catalog.Route]
        let knownData: KnownData?
    }

    package let catalogs: [Catalog]
    private let byEvent: [String: Catalog]
    /// Kept apart from the catalogs because every event needs it.
    let routingByEvent: [String: Routing]
    /// The feeds of each event type; event types that publish to no feed are absent.
    let feedsByEvent: [String: [EventFeed]]
    /// The feed rules of catalogs that have some, kept apart for the same reason.
    let feedRules: [FeedRules]

    /// - Throws: ``CatalogError`` if two catalogs share a name or route the same event type: the type alone tells which
    ///   catalog an event belongs to.
    package init(_ catalogs: [Catalog]) throws(CatalogError) {
        var issues: [CatalogError.Issue] = []
        var byName: [String: Catalog] = [:]
        var byEvent: [String: Catalog] = [:]
        for catalog in catalogs {
            if let other = byName.updateValue(catalog, forKey: catalog.name) {
                let message = "\(other.source.file) has a catalog of this name; expected another one"
                issues.append(.init(place: catalog.source, key: "catalog", message: message))
            }
            for event in catalog.eventTypes {
                guard let other = byEvent.updateValue(catalog, forKey: event), let place = catalog.events[event]?.source
                else { continue }
                let message = "catalog \"\(other.name)\" routes this event too; expected one catalog an event"
                issues.append(.init(place: place, key: "events.\(event)", message: message))
            }
        }
        issues += FeedRules.overlaps(among: catalogs)
        guard issues.isEmpty else { throw CatalogError(issues: issues) }
        self.catalogs = catalogs
        self.byEvent = byEvent
        feedRules = catalogs.map(\.feeds).filter { !$0.isEmpty }
        feedsByEvent = byEvent.reduce(into: [:]) { feeds, event in
            guard let own = event.value.events[event.key]?.feeds, !own.isEmpty else { return }
            feeds[event.key] = own
        }
        routingByEvent = byEvent.reduce(into: [:]) { routings, entry in
            guard let rule = entry.value.events[entry.key] else { return }
            routings[entry.key] = Routing(routes: rule.routes, knownData: rule.knownData)
        }
    }

    /// The event types of all catalogs, sorted.
    package var eventTypes: [String] { byEvent.keys.sorted() }

    /// The catalog that routes events of this type.
    package func catalog(forEvent type: String) -> Catalog? { byEvent[type] }
}
