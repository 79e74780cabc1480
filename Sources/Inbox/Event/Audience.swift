package import JSON

/// The people who get an event, each with a route: the first route that covers a person wins; the actor gets nothing.
package struct Audience: Sendable {
    package struct Member: Sendable, Hashable {
        package let user: UserID
        /// The place of the route in ``RoutedEvent/routes``.
        package let route: Int
        /// The list's data for this person alone.
        package let own: JSONObject?

        package init(user: UserID, route: Int, own: JSONObject?) {
            self.user = user
            self.route = route
            self.own = own
        }
    }

    /// Why a named person gets nothing.
    package enum Exclusion: Sendable, Hashable {
        /// The person is the event's actor.
        case actor
        /// No route names the person's list.
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

    /// In the order of the routes, then of each route's list.
    package private(set) var members: [Member] = []
    package private(set) var excluded: [Excluded] = []
    /// The route that covers everybody else, if any: all who have an inbox and are neither members nor excluded.
    package private(set) var everybodyElse: Int?

    /// - Parameter topicMembers: the users who are in a topic now; empty for an unknown topic.
    package init(of routed: RoutedEvent, topicMembers: (_ topic: String) throws -> [UserID]) rethrows {
        let actor = routed.event.actorAsUser
        var known = KnownUsers(expecting: routed.routes.reduce(0) { $0 + $1.list.users.count })
        func named(_ list: Event.RecipientList) throws -> [UserID] {
            try list.topics.reduce(into: list.users) { $0 += try topicMembers($1) }
        }
        for (index, route) in routed.routes.enumerated() {
            for user in try named(route.list) where known.insert(user) {
                if user == actor {
                    excluded.append(Excluded(user: user, exclusion: .actor))
                } else {
                    // Behind everybody's route no later route applies. People named here need no inbox yet.
                    let covering = everybodyElse ?? index
                    let own = covering == index ? route.list.own[user] : nil
                    members.append(Member(user: user, route: covering, own: own))
                }
            }
            if route.list.isEverybody && everybodyElse == nil { everybodyElse = index }
        }
        // If a route covers everybody, the people of such a list are covered too.
        for list in routed.unrouted where everybodyElse == nil {
            for user in try named(list) where known.insert(user) {
                excluded.append(Excluded(user: user, exclusion: user == actor ? .actor : .unrouted))
            }
        }
    }
}

/// The users who were named already.
private struct KnownUsers {
    /// Kept apart from the set, because most events are for one person.
    private var first: UserID?
    private var others: Set<UserID> = []

    init(expecting count: Int) { if count > 1 { others.reserveCapacity(count - 1) } }

    /// Returns whether the user was not named before.
    mutating func insert(_ user: UserID) -> Bool {
        guard let first else {
            first = user
            return true
        }
        return user != first && others.insert(user).inserted
    }
}
