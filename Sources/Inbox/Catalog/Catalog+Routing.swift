extension Catalog {
    /// Finds the routes of the event's recipient lists, and refuses an event that lacks what their types show.
    package func route(_ event: Event) throws(EventProblem) -> RoutedEvent {
        guard let rule = events[event.type] else { throw .unknownEventType(event.type, known: eventTypes) }
        let routes = rule.routes.flatMap { route in
            event.to.filter { $0.name == route.list && !$0.isEmpty }.map {
                RoutedEvent.Route(type: route.type, list: $0)
            }
        }
        for route in routes { try route.type.check(event, for: route.list) }
        let known = Set(rule.routes.map(\.list))
        let unrouted = event.to.filter { !known.contains($0.name) }
        return RoutedEvent(
            event: event, routes: routes, unrouted: unrouted,
            warnings: unrouted.map { "no route for recipient list \"\($0.name)\"" })
    }
}
