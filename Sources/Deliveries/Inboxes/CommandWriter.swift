package import Inbox
package import Store

/// Applies people's commands to their inboxes. Only rows that really change count; without one, no `seq` is taken.
package struct CommandWriter {
    package let open: OpenTransaction
    package let now: Timestamp
    /// Why notifications are removed.
    package var removal = TrailStep.Cause.removed

    package init(open: OpenTransaction, now: Timestamp, removal: TrailStep.Cause = .removed) {
        (self.open, self.now, self.removal) = (open, now, removal)
    }

    package func apply(_ command: InboxCommand, for user: UserID) throws -> CommandOutcome {
        var inbox = try open.inbox(of: user)
        let count =
            switch command {
            case .read(let selection): try read(selection, in: &inbox, of: user)
            case .readGroup(let group): try read(.ids(ids(ofGroup: group, in: inbox)), in: &inbox, of: user)
            case .seen(let seq): try see(upTo: seq, in: &inbox, of: user)
            case .remove(let selection): try remove(selection, from: &inbox, of: user)
            }
        let looked = try isLook(command, at: inbox) ? see(upTo: inbox.state.seq, in: &inbox, of: user) : 0
        if count + looked > 0 { try open.keep(inbox, of: user) }
        return CommandOutcome(count: Int64(count), state: inbox.state)
    }

    /// Whether the person has opened a notification or group that is in the list, read before or not, and so has seen
    /// the list. A command that names nothing in the list proves no look at it.
    private func isLook(_ command: InboxCommand, at inbox: InboxRecord) throws -> Bool {
        guard open.options.readCountsAsLook else { return false }
        switch command {
        case .read(.ids(let ids)): return try !records(ids, in: inbox).isEmpty
        case .readGroup(let group): return try open.notifications.hasAny(ofGroup: group, inbox: inbox.id)
        case .read(.upTo), .seen, .remove: return false
        }
    }

    private func read(
        _ selection: InboxChange.Selection, in inbox: inout InboxRecord, of user: UserID
    ) throws -> Int {
        let rows =
            switch selection {
            case .ids(let ids):
                try records(ids, in: inbox).filter { !$0.isRead }
            case .upTo(let seq):
                try open.notifications.unread(inbox: inbox.id, count: inbox.state.unread).filter { $0.seq <= seq }
            }
        if rows.isEmpty { return 0 }
        try open.notifications.markRead(rows, inbox: inbox.id)
        let told = told(selection, rows, inbox)
        let stamp = inbox.state.read(Int64(rows.count), unseen: Int64(rows.count { !$0.isSeen }))
        try open.changes.append(.read(told), stamp, inbox: inbox.id)
        open.tell(InboxChange(stamp: stamp, kind: .read(told)), to: user)
        try PushWriter(open: open).dismiss(rows.map(\.id), in: inbox, at: now, because: .read)
        open.tellWebhooks(.read, rows, of: user, inbox: inbox.id, at: now)
        return rows.count
    }

    private func see(upTo seq: Int64, in inbox: inout InboxRecord, of user: UserID) throws -> Int {
        let rows = try open.notifications.unseen(inbox: inbox.id, count: inbox.state.unseen).filter { $0.seq <= seq }
        if rows.isEmpty { return 0 }
        try open.notifications.markSeen(rows, inbox: inbox.id)
        let told = min(seq, inbox.state.seq)
        let stamp = inbox.state.see(Int64(rows.count))
        try open.changes.append(.seen(upTo: told), stamp, inbox: inbox.id)
        open.tell(InboxChange(stamp: stamp, kind: .seen(upTo: told)), to: user)
        try PushWriter(open: open).correctBadges(in: inbox, at: now)
        open.tellWebhooks(.seen, rows, of: user, inbox: inbox.id, at: now)
        return rows.count
    }

    private func remove(
        _ selection: InboxChange.Selection, from inbox: inout InboxRecord, of user: UserID
    ) throws -> Int {
        let rows =
            switch selection {
            case .ids(let ids): try records(ids, in: inbox)
            case .upTo(let seq): try open.notifications.upTo(seq, inbox: inbox.id)
            }
        if rows.isEmpty { return 0 }
        let told = told(selection, rows, inbox)
        let stamp = inbox.state.remove(
            Int64(rows.count), unread: Int64(rows.count { !$0.isRead }), unseen: Int64(rows.count { !$0.isSeen }))
        try open.notifications.remove(rows, inbox: inbox.id)
        for row in rows {
            try open.changes.bury(row, inbox: inbox.id, head: stamp.seq)
            open.contents.addUses(-1, ofContent: row.contentID)
        }
        try open.changes.append(.removed(told), stamp, inbox: inbox.id)
        open.tell(InboxChange(stamp: stamp, kind: .removed(told)), to: user)
        try PushWriter(open: open).dismiss(rows.map(\.id), in: inbox, at: now, because: removal)
        return rows.count
    }

    private func ids(ofGroup group: String, in inbox: InboxRecord) throws -> [NotificationID] {
        try open.notifications.unread(ofGroup: group, inbox: inbox.id).map {
            NotificationID(inbox: inbox.id, sequence: $0.id)
        }
    }

    /// The rows of these ids, each once. Skips ids of other inboxes, of missing rows and of push-only notifications.
    private func records(_ ids: [NotificationID], in inbox: InboxRecord) throws -> [NotificationRecord] {
        if ids.count > 1 { try open.expect { .notifications(ids.filter { $0.inbox == inbox.id }) } }
        var looked: Set<Int64> = []
        return try ids.compactMap { id in
            guard id.inbox == inbox.id, !PushOnlyNumber.isOne(id.sequence), looked.insert(id.sequence).inserted
            else { return nil }
            return try open.notifications.record(inbox: inbox.id, id: id.sequence)
        }
    }

    /// The selection as other sessions hear of it: only ids that changed, and no `seq` that is yet to come.
    private func told(
        _ selection: InboxChange.Selection, _ rows: [NotificationRecord], _ inbox: InboxRecord
    ) -> InboxChange.Selection {
        switch selection {
        case .ids: .ids(rows.map { NotificationID(inbox: inbox.id, sequence: $0.id) })
        case .upTo(let seq): .upTo(min(seq, inbox.state.seq))
        }
    }
}
