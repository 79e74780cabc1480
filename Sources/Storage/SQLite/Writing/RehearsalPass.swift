import Inbox

/// How far a publication has been rehearsed: what is known of it, and whom it was not tried on yet.
struct RehearsalPass: Sendable {
    /// An event for more people than share a transaction, as far as it was not tried.
    struct Rest: Sendable {
        /// The event's in its publication.
        let place: Int
        let routed: RoutedEvent
        let id: String
        /// Who are named.
        var members: ArraySlice<Audience.Member>
        /// Of whom everybody else consists.
        var everybody: Everybody?
    }

    struct Everybody: Sendable {
        /// The place of the route in ``RoutedEvent/routes``.
        let route: Int
        /// Named with it, and so not among all others.
        let named: Set<UserID>
        /// Up to this inbox all were tried.
        var afterInbox: Int64 = 0
        let lastInbox: Int64
    }

    let now: Timestamp
    var rehearsals: [Rehearsal]
    var rests: [Rest]
    /// So many people more.
    var room: Int

    /// Whether there is nobody left to try it on, or no room.
    var isOver: Bool { rests.isEmpty || room <= 0 }

    /// To be asked when it is over. Events that were not tried on all say so.
    var result: [Rehearsal] {
        var result = rehearsals
        for rest in rests { result[rest.place].isWhole = false }
        return result
    }
}
