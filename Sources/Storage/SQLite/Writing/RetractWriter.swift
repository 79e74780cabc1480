import Inbox
import JSON

/// Takes events back, some recipients at a time.
struct RetractWriter {
    /// What one step has done.
    struct Step {
        var retraction: Retraction
        /// Whether nothing is left to do.
        let isLast: Bool
    }

    let open: OpenTransaction
    let catalogs: CatalogSet
    let now: Timestamp

    /// Goes on where the step before has ended; nil for a key of which nothing is known.
    ///
    /// - Parameter limit: so many recipients at most.
    func step(key: String, by publisher: String, limit: Int) throws -> Step? {
        guard let newest = try open.trailTables.events.newest(key, by: publisher) else { return nil }
        var retraction = Retraction(event: newest)
        let rows = try open.trailTables.events.unretracted(key, by: publisher)
        guard let row = rows.first else {
            return Step(retraction: retraction, isLast: true)
        }
        let feeds = FeedWriter(open: open, isOfEvent: true)
        for item in row.items where try feeds.remove(item.offset, from: item.feed, at: now) { retraction.items += 1 }
        let recipients = try notified(row)
        let due = recipients[min(row.retracted, recipients.count)...].prefix(limit)
        let cancelledBefore = open.trail.cancelled
        var unbatching = Unbatching(row, catalogs)
        for (type, recipient) in due { try retract(recipient, type: type, &unbatching, &retraction) }
        retraction.pushesCancelled = open.trail.cancelled - cancelledBefore
        let isDone = due.endIndex == recipients.count
        try open.trailTables.events.writeProgress(due.endIndex, end: isDone ? now : nil, at: row.place)
        let isLast = isDone && rows.count == 1
        // From now on the key is as good as new: what is published with it comes into being.
        if isLast { try open.keys.remove(key, of: publisher) }
        return Step(retraction: retraction, isLast: isLast)
    }

    private struct Notified {
        let inbox: Int64
        let notification: Int64
    }

    /// In the order in which they stand in the row, which never changes among them.
    private func notified(_ row: TrailEventTable.Keyed) throws -> [(type: String?, Notified)] {
        try row.verdicts.groups.filter(\.verdict.hasNotification).flatMap { group in
            guard let recipients = group.recipients.recipients else { throw DamagedRow(table: "trail_event") }
            return recipients.compactMap { recipient in
                recipient.notification.map { number in
                    (group.verdict.type, Notified(inbox: recipient.inbox, notification: number))
                }
            }
        }
    }

    private func retract(
        _ recipient: Notified, type: String?, _ unbatching: inout Unbatching, _ retraction: inout Retraction
    ) throws {
        guard let user = try open.trailTables.events.user(ofInbox: recipient.inbox),
            let record = try open.notifications.record(inbox: recipient.inbox, id: recipient.notification)
        else { return }
        let content = try open.content(record.contentID)
        var inbox = try open.inbox(of: user)
        let reader = inbox.person?.profile.reader ?? Reader()
        guard let batch = content.batch, let rest = unbatching.rest(of: batch, of: record, as: type) else {
            if record.isPushOnly {
                try removePushOnly(record, in: inbox)
                retraction.removed += 1
                return
            }
            let commands = CommandWriter(open: open, now: now, removal: .retracted)
            let id = NotificationID(inbox: recipient.inbox, sequence: record.id)
            _ = try commands.apply(.remove(.ids([id])), for: user)
            open.trail.note(.retracted, of: record.id, inbox: recipient.inbox, at: now)
            retraction.removed += 1
            return
        }
        guard let shrunk = try unbatching.content(showing: rest, instead: record.contentID, as: type, reader, open)
        else { return }
        if record.isPushOnly {
            try open.exchange(pushOnly: record, in: inbox, content: shrunk)
        } else {
            try open.exchange(&inbox, record, content: shrunk, without: unbatching.id, of: user)
        }
        open.trail.note(.shrunk, of: record.id, inbox: recipient.inbox, at: now)
        retraction.updated += 1
    }

    /// No number of the inbox changes, and no session hears of it.
    private func removePushOnly(_ record: NotificationRecord, in inbox: InboxRecord) throws {
        try open.notifications.delete(inbox: inbox.id, id: record.id)
        open.newRows.addUses(-1, ofContent: record.contentID)
        try PushWriter(open: open).dismiss([record.id], in: inbox, at: now, because: .retracted)
        open.trail.note(.retracted, of: record.id, inbox: inbox.id, at: now)
    }
}
