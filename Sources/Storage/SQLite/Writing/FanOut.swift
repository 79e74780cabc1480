import Inbox

/// One event on its way to everybody who gets it as the same type.
///
/// Each distinct content is rendered and written once: the new one, and one for each content that open batches share.
struct FanOut {
    private struct WrittenContent {
        let id: Int64
        let content: Content
    }

    private struct BatchRule {
        let key: String
        let window: Duration
    }

    private(set) var created = 0
    private(set) var updated = 0

    private let open: OpenTransaction
    private let event: Event
    private let type: NotificationType
    private let eventID: String
    /// When it happened.
    private let time: Timestamp
    private let now: Timestamp
    private let batching: BatchRule?
    private var fresh: WrittenContent?
    /// By the row number of the content that grew.
    private var grown: [Int64: WrittenContent] = [:]

    init(_ event: Event, as type: NotificationType, id: String, at now: Timestamp, in open: OpenTransaction) {
        self.open = open
        self.event = event
        self.type = type
        self.now = now
        eventID = id
        time = event.occurredAt ?? now
        batching = type.batchWindow.flatMap { window in
            type.batchKey(for: event).map { BatchRule(key: $0, window: window) }
        }
    }

    mutating func deliver(to user: UserID) throws {
        var inbox = try open.inbox(of: user)
        if let batching, let record = try open.notifications.openBatch(inbox: inbox.id, key: batching.key) {
            let content = try open.contents.content(record.contentID)
            if let batch = content.batch, batch.admits(time, window: batching.window) {
                try grow(record, with: batch, in: &inbox, of: user)
                return try open.keep(inbox, of: user)
            }
            // Only one batch a key is open: the one that is about to begin.
            try open.notifications.closeBatch(inbox: inbox.id, id: record.id)
        }
        try add(to: &inbox, of: user)
        try open.keep(inbox, of: user)
    }

    // MARK: Growing

    private mutating func grow(
        _ old: NotificationRecord, with batch: Batch, in inbox: inout InboxRecord, of user: UserID
    ) throws {
        let written = try grownContent(from: old.contentID, batch)
        let stamp = inbox.state.grow()
        var record = old
        (record.contentID, record.rev, record.seq) = (written.id, old.rev + 1, stamp.seq)
        try open.notifications.grow(record, inbox: inbox.id)
        try open.changes.append(.update(record.id), stamp, inbox: inbox.id)
        open.addUses(-1, ofContent: old.contentID)
        open.addUses(1, ofContent: written.id)
        let notification = record.notification(inbox: inbox.id, written.content)
        open.tell(InboxChange(stamp: stamp, kind: .update(notification)), to: user)
        updated += 1
    }

    private mutating func grownContent(from id: Int64, _ batch: Batch) throws -> WrittenContent {
        if let written = grown[id] { return written }
        let written = try write(type.content(for: event, at: time, growing: batch))
        grown[id] = written
        return written
    }

    // MARK: Adding

    private mutating func add(to inbox: inout InboxRecord, of user: UserID) throws {
        let written = try fresh ?? write(type.content(for: event, at: time, growing: nil))
        fresh = written
        let stamp = inbox.state.add()
        let record = NotificationRecord(stamp: stamp, contentID: written.id, createdAt: time)
        try open.notifications.insert(record, inbox: inbox.id, batchKey: batching?.key)
        open.addUses(1, ofContent: written.id)
        // Only the beginning of a batch is pushed; what it says is read when it is sent, so it shows what came until then.
        if inbox.devices > 0, let push = written.content.push {
            try PushWriter(open: open).queue(
                record.id, push, of: type, for: event, at: now, in: inbox, of: user)
        }
        let notification = record.notification(inbox: inbox.id, written.content)
        open.tell(InboxChange(stamp: stamp, kind: .new(notification)), to: user)
        created += 1
    }

    private func write(_ content: Content) throws -> WrittenContent {
        WrittenContent(id: try open.insert(content, event: eventID), content: content)
    }
}
