package import Inbox

/// The counts of one event's delivery to an audience.
package struct Delivery {
    package private(set) var created = 0
    package private(set) var updated = 0
    package private(set) var suppressed = 0

    /// Delivers the event to its audience, with one fan-out for each notification type.
    ///
    /// - Parameter id: the event's.
    package static func deliver(
        _ routed: RoutedEvent, to audience: Audience, as id: String, at now: Timestamp, in open: OpenTransaction
    ) throws -> Delivery {
        // Several routes may lead to one type, and all recipients of the type share the contents.
        var fanOuts: [FanOut] = []
        let places = routed.routes.map { route in
            if let place = fanOuts.firstIndex(where: { $0.type.name == route.type.name }) { return place }
            fanOuts.append(FanOut(routed, as: route.type, id: id, at: now, in: open))
            return fanOuts.count - 1
        }
        try expectFacts(of: audience.members, in: open) { fanOuts[places[$0.route]].batchKey(own: $0.own) }
        for member in audience.members { try fanOuts[places[member.route]].deliver(to: member.user, own: member.own) }
        try note(audience.excluded, of: id, in: open)
        var delivery = Delivery(suppressed: audience.excluded.count)
        for fanOut in fanOuts {
            delivery.created += fanOut.created
            delivery.updated += fanOut.updated
            delivery.suppressed += fanOut.suppressed
        }
        return delivery
    }

    /// Announces what the fan-outs will ask about each person: first the inboxes, whose numbers the batches need.
    private static func expectFacts(
        of members: [Audience.Member], in open: OpenTransaction, batchKey: (Audience.Member) -> String?
    ) throws {
        guard members.count > 1 else { return }
        try open.expect(members.lazy.map(\.user), areRecipients: true)
        try open.expect {
            .openBatches(
                try members.compactMap { member in
                    guard let key = batchKey(member), let inbox = try open.knownInbox(of: member.user) else {
                        return nil
                    }
                    return (inbox.id, key)
                })
        }
    }

    /// Notes in the trail the people who get nothing.
    package static func note(_ excluded: [Audience.Excluded], of event: String, in open: OpenTransaction) throws {
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

    package init(created: Int = 0, updated: Int = 0, suppressed: Int = 0) {
        (self.created, self.updated, self.suppressed) = (created, updated, suppressed)
    }
}
