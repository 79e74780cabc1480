package import Inbox
package import Store

/// Tells the trail of one person's notification, as of one moment.
///
/// An index from notifications to events would cost for every recipient of every event. But events' ids are in the
/// order of time, and a notification knows when it was stored. So its first event is searched from there back, and
/// events that a batch took in later from there on.
package struct NotificationTrails {
    /// An event's id is made a moment before or after its notifications are stored.
    private static let slack = Duration.milliseconds(250)
    /// About half a million recipients.
    private static let maximumBytes = 1 << 20

    let reads: any TrailReads
    /// How many rows are read in each direction at most.
    let maximumRows: Int

    /// Nil for a notification that is not in this person's inbox.
    ///
    /// - Parameter firstName: the lowest id of events that were taken in at a time.
    package func trail(
        of notification: NotificationID, user: UserID, firstName: (Timestamp) -> String
    ) throws -> NotificationTrail? {
        guard try reads.inbox(of: user) == notification.inbox,
            let row = try reads.times(of: notification)
        else { return nil }
        let middle = firstName(row.storedAt + Self.slack)
        let before = try look(.back, from: middle, for: notification)
        var (found, isWhole) = (Array(before.found.reversed()), before.isWhole)
        if !isWhole, row.isRaised {
            // Coming up again has renewed its storing time, which may now be far from its first event.
            let first = try look(.back, from: firstName(row.createdAt + Self.slack), for: notification)
            let known = Set(found.map(\.event.id))
            found = first.found.reversed().filter { !known.contains($0.event.id) } + found
        }
        // A notification that never changed has taken in no later event.
        if row.rev > 1 || found.isEmpty {
            let after = try look(.on, from: middle, for: notification)
            found += after.found
            isWhole = after.isWhole && (isWhole || after.found.contains(where: \.isBeginning))
        }
        let fates = RecipientFate(reads: reads)
        let entries = try found.map { found in
            PersonalTrail.Entry(
                event: found.event,
                decisions: [try fates.recipient(found.person, since: found.event.acceptedAt)])
        }
        return NotificationTrail(entries: entries, isWhole: isWhole)
    }

    // MARK: Looking

    private struct Found {
        let event: TrailedEvent
        let person: TrailedPerson

        var isBeginning: Bool {
            switch person.verdict.decision {
            case .created, .pushOnly: true
            case .grew, .isActor, .unrouted, .muted, .preferenceOff: false
            }
        }
    }

    /// - Returns: the events in the order of the search, and whether it saw all rows that matter.
    private func look(
        _ direction: TrailDirection, from name: String, for notification: NotificationID
    ) throws -> (found: [Found], isWhole: Bool) {
        var found: [Found] = []
        var (rows, bytes) = (0, 0)
        var isWhole = true
        try reads.forEachVerdicts(direction, from: name) { row in
            guard rows < maximumRows, bytes < Self.maximumBytes else {
                isWhole = false
                return false
            }
            rows += 1
            guard let row else { return true }
            bytes += row.size
            let person = TrailedPerson.people(of: row.verdicts).first {
                $0.inbox == notification.inbox && $0.notification == notification.sequence
            }
            guard let person, let event = try reads.event(row.event) else { return true }
            found.append(Found(event: event, person: person))
            return direction == .on || found.last?.isBeginning != true
        }
        return (found, isWhole)
    }
}
