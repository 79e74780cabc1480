extension Catalog {
    /// Finds the routes of the event's recipient lists, and refuses an event that lacks what their types show.
    package func route(_ event: consuming Event) throws(EventProblem) -> RoutedEvent {
        guard let rule = events[event.type] else { throw .unknownEventType(event.type, known: eventTypes) }
        let items = try rule.feeds.items(of: event, rule: feeds.rule(for:))
        return try RoutedEvent(event, by: rule.routes, items)
    }
}

extension CatalogSet {
    /// Routes the event by the one catalog that knows its type: see ``Catalog/route(_:)``.
    package func route(_ event: consuming Event) throws(EventProblem) -> RoutedEvent {
        guard let routes = routesByEvent[event.type] else { throw .unknownEventType(event.type, known: eventTypes) }
        let feeds = feedsByEvent.isEmpty ? nil : feedsByEvent[event.type]
        let items = try feeds?.items(of: event, rule: feedRule(for:)) ?? []
        return try RoutedEvent(event, by: routes, items)
    }
}

extension RoutedEvent {
    fileprivate convenience init(
        _ event: Event, by rules: [Catalog.Route], _ items: [EventItem]
    ) throws(EventProblem) {
        var routes: [Route] = []
        routes.reserveCapacity(event.to.count)
        for rule in rules {
            for list in event.to where list.name == rule.list && !list.isEmpty {
                routes.append(Route(type: rule.type, list: list))
            }
        }
        for route in routes { try route.type.check(event, for: route.list) }
        // Nearly every list has its route.
        let isRouted = event.to.allSatisfy { list in rules.contains { $0.list == list.name } }
        if isRouted {
            self.init(event: event, routes: routes, items: items)
            return
        }
        let unrouted = event.to.filter { list in !rules.contains { $0.list == list.name } }
        self.init(
            event: event, routes: routes, items: items, unrouted: unrouted,
            warnings: unrouted.map { "no route for recipient list \"\($0.name)\"" })
    }
}
