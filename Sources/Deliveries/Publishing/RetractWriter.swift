package import Inbox
import JSON
package import Store

/// Takes events back, some recipients at a time.
package struct RetractWriter {
    /// The results of one step.
    package struct Step {
        package var retraction: Retraction
        /// Whether nothing is left to do.
        package let isLast: Bool

        package init(retraction: Retraction, isLast: Bool) {
            (self.retraction, self.isLast) = (retraction, isLast)
        }
    }

    package let open: OpenTransaction
    package let catalogs: CatalogSet
    package let now: Timestamp

    /// Continues where the last step ended; nil for an unknown key.
    ///
    /// - Parameter limit: how many recipients at most.
    package func step(key: String, by publisher: String, limit: Int) throws -> Step? {
        guard let newest = try open.trailRows.newest(key, by: publisher) else { return nil }
        var retraction = Retraction(event: newest)
        let rows = try open.trailRows.unretracted(key, by: publisher)
        guard let row = rows.first else {
            // All readable rows are taken back, and an unreadable row holds no key.
            try open.keys.remove(key, of: publisher)
            return Step(retraction: retraction, isLast: true)
        }
        let feeds = FeedWriter(open: open, isOfEvent: true)
        for item in row.items where try feeds.remove(item.offset, from: item.feed, at: now) { retraction.items += 1 }
        let recipients = notified(row)
        let due = recipients[min(row.retracted, recipients.count)...].prefix(limit)
        let cancelledBefore = open.trail.cancelled
        var unbatching = Unbatching(row, catalogs)
        // Whoever reads a notification to change it has its inbox' lock by then.
        try open.expect { .owners(due.map { $0.1.inbox }) }
        try open.expect { .notifications(due.map { NotificationID(inbox: $1.inbox, sequence: $1.notification) }) }
        for (type, recipient) in due { try retract(recipient, type: type, &unbatching, &retraction) }
        retraction.pushesCancelled = open.trail.cancelled - cancelledBefore
        let isDone = due.endIndex == recipients.count
        try open.trailRows.writeProgress(due.endIndex, end: isDone ? now : nil, at: row.place)
        let isLast = isDone && rows.count == 1
        // From now on the key is free: an event published with it takes effect.
        if isLast { try open.keys.remove(key, of: publisher) }
        return Step(retraction: retraction, isLast: isLast)
    }

    private struct Notified {
        let inbox: Int64
        let notification: Int64
    }

    /// In the order in which the row has them, which never changes.
    private func notified(_ row: TrailedKey) -> [(type: String?, Notified)] {
        row.verdicts.groups.filter(\.verdict.hasNotification).flatMap { group in
            (group.recipients.recipients ?? []).compactMap { recipient in
                recipient.notification.map { number in
                    (group.verdict.type, Notified(inbox: recipient.inbox, notification: number))
                }
            }
        }
    }

    private func retract(
        _ recipient: Notified, type: String?, _ unbatching: inout Unbatching, _ retraction: inout Retraction
    ) throws {
        guard let user = try open.user(ofInbox: recipient.inbox),
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

    /// Moves no number of the inbox, and tells no session.
    private func removePushOnly(_ record: NotificationRecord, in inbox: InboxRecord) throws {
        try open.pushOnly.delete(inbox: inbox.id, id: record.id)
        open.contents.addUses(-1, ofContent: record.contentID)
        try PushWriter(open: open).dismiss([record.id], in: inbox, at: now, because: .retracted)
        open.trail.note(.retracted, of: record.id, inbox: inbox.id, at: now)
    }

    package init(open: OpenTransaction, catalogs: CatalogSet, now: Timestamp) {
        (self.open, self.catalogs, self.now) = (open, catalogs, now)
    }
}
