import Inbox

/// The recipients by type, where no topics are known.
extension RoutedEvent {
    struct Group {
        let type: NotificationType
        let users: [UserID]
    }

    var audience: Audience { Audience(of: self) { _ in [] } }

    /// Types in the order in which somebody gets them.
    var groups: [Group] {
        let members = audience.members
        var names: [String] = []
        for member in members where !names.contains(routes[member.route].type.name) {
            names.append(routes[member.route].type.name)
        }
        return names.compactMap { name in
            let users = members.filter { routes[$0.route].type.name == name }.map(\.user)
            return routes.first { $0.type.name == name }.map { Group(type: $0.type, users: users) }
        }
    }

    var suppressed: Int { audience.excluded.count }
}
