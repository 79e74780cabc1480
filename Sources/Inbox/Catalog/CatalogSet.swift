/// The catalogs of one app.
package struct CatalogSet: Sendable {
    /// The part of an event's rule that every event needs.
    struct Routing: Sendable {
        let routes: [Catalog.Route]
        let knownData: KnownData?
        /// As ``Catalog/EventRule/question``.
        let question: QuestionRule?
    }

    package let catalogs: [Catalog]
    private let byEvent: [String: Catalog]
    /// Kept apart from the catalogs because every event needs it.
    let routingByEvent: [String: Routing]
    /// The feeds of each event type; event types that publish to no feed are absent.
    let feedsByEvent: [String: [EventFeed]]
    /// The feed rules of catalogs that have some, kept apart for the same reason.
    let feedRules: [FeedRules]

    /// No catalog.
    package static let none = CatalogSet()

    private init() { (catalogs, byEvent, routingByEvent, feedsByEvent, feedRules) = ([], [:], [:], [:], []) }

    /// - Throws: ``CatalogError`` if two catalogs route the same event type: the type alone tells which of the app's
    ///   catalogs an event belongs to.
    package init(_ catalogs: [Catalog]) throws(CatalogError) {
        var issues: [CatalogError.Issue] = []
        var byEvent: [String: Catalog] = [:]
        for catalog in catalogs {
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
            routings[entry.key] = Routing(
                routes: rule.routes, knownData: rule.knownData, question: rule.question)
        }
    }

    /// The event types of all catalogs, sorted.
    package var eventTypes: [String] { byEvent.keys.sorted() }

    /// The catalog that routes events of this type.
    package func catalog(forEvent type: String) -> Catalog? { byEvent[type] }
}
