import Inbox

/// Brings one event to an audience: a fan-out for each notification type.
struct Delivery {
    private(set) var created = 0
    private(set) var updated = 0
    private(set) var suppressed = 0

    /// - Parameters:
    ///   - actor: the event's ``Event/actorID``.
    ///   - id: the event's.
    init(
        of routed: RoutedEvent, by actor: String?, to audience: Audience, as id: String, at now: Timestamp,
        in open: OpenTransaction
    ) throws {
        if routed.routes.count == 1, let route = routed.routes.first {
            // As most events are: no lists for it.
            var fanOut = FanOut(routed, as: route.type, id: id, by: actor, at: now, in: open)
            for member in audience.members { try fanOut.deliver(to: member.user, own: member.own) }
            count(fanOut)
        } else {
            // Several routes may lead to one type, and all its people share the contents.
            var fanOuts: [FanOut] = []
            let places = routed.routes.map { route in
                if let place = fanOuts.firstIndex(where: { $0.type.name == route.type.name }) { return place }
                fanOuts.append(FanOut(routed, as: route.type, id: id, by: actor, at: now, in: open))
                return fanOuts.count - 1
            }
            for member in audience.members {
                try fanOuts[places[member.route]].deliver(to: member.user, own: member.own)
            }
            // Where they lie: each holds a dozen things that copying it would count.
            for place in fanOuts.indices { count(fanOuts[place]) }
        }
        try Self.note(audience.excluded, of: id, in: open)
        suppressed += audience.excluded.count
    }

    /// - Parameters:
    ///   - actor: the event's ``Event/actorID``.
    ///   - user: whom its one route leads to.
    init(
        of routed: RoutedEvent, by actor: String?, toOnly user: UserID, as id: String, at now: Timestamp,
        in open: OpenTransaction
    ) throws {
        var fanOut = FanOut(routed, as: routed.routes[0].type, id: id, by: actor, at: now, in: open)
        fanOut.isForOne = true
        try fanOut.deliver(to: user, own: routed.routes[0].list.own[user])
        count(fanOut)
    }

    private mutating func count(_ fanOut: FanOut) {
        created += fanOut.created
        updated += fanOut.updated
        suppressed += fanOut.suppressed
    }

    /// Tells the trail about those who get nothing.
    static func note(_ excluded: [Audience.Excluded], of event: String, in open: OpenTransaction) throws {
        for excluded in excluded {
            let decision = excluded.exclusion == .actor ? TrailDecision.isActor : .unrouted
            guard let inbox = try open.knownInbox(of: excluded.user) else {
                open.trail.note(decision, of: event, toStranger: excluded.user)
                continue
            }
            open.trail.note(
                decision, type: nil, of: event,
                to: TrailRecorder.Recipient(inbox: inbox.id, notification: nil))
        }
    }
}
