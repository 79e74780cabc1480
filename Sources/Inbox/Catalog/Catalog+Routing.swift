extension Catalog {
    /// Decides who gets which notification type, and refuses an event that lacks what those types show.
    ///
    /// Routes are tried in the catalog's order and the first one that covers a recipient wins. The actor gets nothing.
    package func route(_ event: Event) throws(EventProblem) -> RoutedEvent {
        guard let rule = events[event.type] else { throw .unknownEventType(event.type, known: eventTypes) }
        let actor = event.actorID.flatMap(UserID.init(rawValue:))
        var served: Set<UserID> = []
        var groups: [(type: NotificationType, users: [UserID])] = []
        for route in rule.routes {
            let named = event.to.filter { $0.name == route.list }.flatMap(\.users)
            let users = named.filter { $0 != actor && served.insert($0).inserted }
            if users.isEmpty { continue }
            if let index = groups.firstIndex(where: { $0.type === route.type }) {
                groups[index].users += users
            } else {
                groups.append((route.type, users))
            }
        }
        for group in groups { try group.type.check(event) }
        let named = Set(event.to.lazy.flatMap(\.users))
        return RoutedEvent(
            event: event, groups: groups.map { .init(type: $0.type, users: $0.users) },
            suppressed: named.count - served.count, warnings: warnings(about: event, rule))
    }

    private func warnings(about event: Event, _ rule: EventRule) -> [String] {
        let known = Set(rule.routes.map(\.list))
        return event.to.filter { !known.contains($0.name) }.map { "no route for recipient list \"\($0.name)\"" }
    }
}
