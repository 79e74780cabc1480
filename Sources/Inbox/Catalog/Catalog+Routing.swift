extension Catalog {
    /// Finds the routes of the event's recipient lists. Refuses an event that lacks values which their types show.
    ///
    /// - Parameter now: when the event is accepted: its type may ask by itself from now on. Nil for an event that was
    ///   accepted earlier, which asks what it asked then.
    package func route(_ event: consuming Event, at now: Timestamp? = nil) throws(EventProblem) -> RoutedEvent {
        guard let rule = events[event.type] else { throw .unknownEventType(event.type, known: eventTypes) }
        let items = try rule.feeds.items(of: event, rule: feeds.rule(for:))
        let routing = CatalogSet.Routing(routes: rule.routes, knownData: rule.knownData, question: rule.question)
        return try RoutedEvent(event, by: routing, items, at: now)
    }
}

extension CatalogSet {
    /// Routes the event by the one catalog that knows its type: see ``Catalog/route(_:at:)``.
    package func route(_ event: consuming Event, at now: Timestamp? = nil) throws(EventProblem) -> RoutedEvent {
        guard let routing = routingByEvent[event.type] else { throw .unknownEventType(event.type, known: eventTypes) }
        let feeds = feedsByEvent.isEmpty ? nil : feedsByEvent[event.type]
        let items = try feeds?.items(of: event, rule: feedRule(for:)) ?? []
        return try RoutedEvent(event, by: routing, items, at: now)
    }
}

extension RoutedEvent {
    fileprivate convenience init(
        _ event: Event, by routing: CatalogSet.Routing, _ items: [EventItem], at now: Timestamp?
    ) throws(EventProblem) {
        var event = event
        if let now, event.question == nil { event.question = routing.question?.question(at: now) }
        let rules = routing.routes
        var routes: [Route] = []
        routes.reserveCapacity(event.to.count)
        for rule in rules {
            for list in event.to where list.name == rule.list && !list.isEmpty {
                routes.append(Route(type: rule.type, list: list))
            }
        }
        for route in routes { try route.type.check(event, for: route.list) }
        if now != nil, let question = event.question {
            for route in routes { try route.type.checkLabels(of: question) }
        }
        // The usual case: every list has a route.
        let isRouted = event.to.allSatisfy { list in rules.contains { $0.list == list.name } }
        let unread = routing.knownData?.warnings(about: event) ?? []
        if isRouted {
            self.init(event: event, routes: routes, items: items, warnings: unread)
            return
        }
        let unrouted = event.to.filter { list in !rules.contains { $0.list == list.name } }
        let known = Set(rules.map(\.list)).sorted()
        self.init(
            event: event, routes: routes, items: items, unrouted: unrouted,
            warnings: unrouted.map { list in
                "no route for recipient list \"\(list.name)\"" + Spelling.hint(for: list.name, among: known)
            } + unread)
    }
}
