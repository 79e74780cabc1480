package import JSON

/// Who gets an event as what: the first route that covers a person wins, and whoever did it gets nothing.
package struct Audience: Sendable {
    package struct Member: Sendable, Hashable {
        package let user: UserID
        /// The place of the route in ``RoutedEvent/routes``.
        package let route: Int
        /// What the list says for this person alone.
        package let own: JSONObject?

        package init(user: UserID, route: Int, own: JSONObject?) {
            self.user = user
            self.route = route
            self.own = own
        }
    }

    /// Why somebody who was named gets nothing.
    package enum Exclusion: Sendable, Hashable {
        /// It is their own event.
        case actor
        /// No route names the list in which they stand.
        case unrouted
    }

    package struct Excluded: Sendable, Hashable {
        package let user: UserID
        package let exclusion: Exclusion

        package init(user: UserID, exclusion: Exclusion) {
            self.user = user
            self.exclusion = exclusion
        }
    }

    /// In the order of the routes, and within one in that of its list.
    package private(set) var members: [Member] = []
    package private(set) var excluded: [Excluded] = []
    /// The route that covers everybody else, if one does: those who have an inbox and are neither members nor excluded.
    package private(set) var everybodyElse: Int?

    /// - Parameter topicMembers: the users who are in a topic at this moment; empty for one that nobody knows.
    package init(of routed: RoutedEvent, topicMembers: (_ topic: String) throws -> [UserID]) rethrows {
        let actor = routed.event.actorID.flatMap { UserID(known: $0) }
        var known = KnownUsers(expecting: routed.routes.reduce(0) { $0 + $1.list.users.count })
        func named(_ list: Event.RecipientList) throws -> [UserID] {
            try list.topics.reduce(into: list.users) { $0 += try topicMembers($1) }
        }
        for (index, route) in routed.routes.enumerated() {
            for user in try named(route.list) where known.insert(user) {
                if user == actor {
                    excluded.append(Excluded(user: user, exclusion: .actor))
                } else {
                    // Behind everybody's route nobody is left for another; named here, they need no inbox yet.
                    let covering = everybodyElse ?? index
                    let own = covering == index ? route.list.own[user] : nil
                    members.append(Member(user: user, route: covering, own: own))
                }
            }
            if route.list.isEverybody && everybodyElse == nil { everybodyElse = index }
        }
        // Whoever stands in such a list is one of everybody.
        for list in routed.unrouted where everybodyElse == nil {
            for user in try named(list) where known.insert(user) {
                excluded.append(Excluded(user: user, exclusion: user == actor ? .actor : .unrouted))
            }
        }
    }
}

/// Who has been named already.
private struct KnownUsers {
    /// By itself, as most events are for one person.
    private var first: UserID?
    private var others: Set<UserID> = []

    init(expecting count: Int) { if count > 1 { others.reserveCapacity(count - 1) } }

    /// Whether the user had not been named before.
    mutating func insert(_ user: UserID) -> Bool {
        guard let first else {
            first = user
            return true
        }
        return user != first && others.insert(user).inserted
    }
}
