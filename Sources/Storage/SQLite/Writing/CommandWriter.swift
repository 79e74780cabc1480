import Inbox

/// Does what people do to their inboxes. Only rows that really change count; without one, no `seq` is taken.
struct CommandWriter {
    let open: OpenTransaction
    let now: Timestamp
    /// Why notifications are removed.
    var removal = TrailStep.Cause.removed

    func apply(_ command: InboxCommand, for user: UserID) throws -> CommandOutcome {
        var inbox = try open.inbox(of: user)
        let count =
            switch command {
            case .read(let selection): try read(selection, in: &inbox, of: user)
            case .readGroup(let group): try read(.ids(ids(ofGroup: group, in: inbox)), in: &inbox, of: user)
            case .seen(let seq): try see(upTo: seq, in: &inbox, of: user)
            case .remove(let selection): try remove(selection, from: &inbox, of: user)
            }
        let looked =
            try command.isTap && open.options.readCountsAsLook ? see(upTo: inbox.state.seq, in: &inbox, of: user) : 0
        if count + looked > 0 { try open.keep(inbox, of: user) }
        return CommandOutcome(count: Int64(count), state: inbox.state)
    }

    private func read(
        _ selection: InboxChange.Selection, in inbox: inout InboxRecord, of user: UserID
    ) throws -> Int {
        let rows =
            switch selection {
            case .ids(let ids):
                try records(ids, in: inbox).filter { !$0.isRead }
            case .upTo(let seq):
                try open.unread(inbox: inbox.id, count: inbox.state.unread).filter { $0.seq <= seq }
            }
        if rows.isEmpty { return 0 }
        try open.notifications.markRead(rows, inbox: inbox.id)
        let told = told(selection, rows, inbox)
        let stamp = inbox.state.read(Int64(rows.count), unseen: Int64(rows.count { !$0.isSeen }))
        try open.changes.append(.read(told), stamp, inbox: inbox.id)
        open.tell(InboxChange(stamp: stamp, kind: .read(told)), to: user)
        try PushWriter(open: open).dismiss(rows.map(\.id), in: inbox, at: now, because: .read)
        return rows.count
    }

    private func see(upTo seq: Int64, in inbox: inout InboxRecord, of user: UserID) throws -> Int {
        let rows = try open.unseen(inbox: inbox.id, count: inbox.state.unseen).filter { $0.seq <= seq }
        if rows.isEmpty { return 0 }
        for row in rows { try open.notifications.markSeen(inbox: inbox.id, id: row.id) }
        let told = min(seq, inbox.state.seq)
        let stamp = inbox.state.see(Int64(rows.count))
        try open.changes.append(.seen(upTo: told), stamp, inbox: inbox.id)
        open.tell(InboxChange(stamp: stamp, kind: .seen(upTo: told)), to: user)
        try PushWriter(open: open).correctBadges(in: inbox, at: now)
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
        for row in rows {
            try open.notifications.delete(inbox: inbox.id, id: row.id)
            try open.changes.bury(row, inbox: inbox.id, head: stamp.seq)
            open.newRows.addUses(-1, ofContent: row.contentID)
        }
        for row in rows where !row.isRead {
            try open.notifications.readSpans.join(around: row.place, inbox: inbox.id)
        }
        try open.changes.append(.removed(told), stamp, inbox: inbox.id)
        open.tell(InboxChange(stamp: stamp, kind: .removed(told)), to: user)
        try PushWriter(open: open).dismiss(rows.map(\.id), in: inbox, at: now, because: removal)
        return rows.count
    }

    private func ids(ofGroup group: String, in inbox: InboxRecord) throws -> [NotificationID] {
        try open.unread(ofGroup: group, inbox: inbox.id).map { NotificationID(inbox: inbox.id, sequence: $0.id) }
    }

    /// The rows of these ids, each once; ids of other inboxes, of nothing, or of what is only pushed are passed over.
    private func records(_ ids: [NotificationID], in inbox: InboxRecord) throws -> [NotificationRecord] {
        var looked: Set<Int64> = []
        return try ids.compactMap { id in
            guard id.inbox == inbox.id, !PushOnlyNumber.isOne(id.sequence), looked.insert(id.sequence).inserted
            else { return nil }
            return try open.notifications.record(inbox: inbox.id, id: id.sequence)
        }
    }

    /// The selection as others hear of it: ids only of what changed, and no `seq` that is yet to come.
    private func told(
        _ selection: InboxChange.Selection, _ rows: [NotificationRecord], _ inbox: InboxRecord
    ) -> InboxChange.Selection {
        switch selection {
        case .ids: .ids(rows.map { NotificationID(inbox: inbox.id, sequence: $0.id) })
        case .upTo(let seq): .upTo(min(seq, inbox.state.seq))
        }
    }
}

extension InboxCommand {
    /// Whether somebody opened one notification, or a group of them, and so has seen the list.
    fileprivate var isTap: Bool {
        switch self {
        case .read(.ids), .readGroup: true
        case .read(.upTo), .seen, .remove: false
        }
    }
}
