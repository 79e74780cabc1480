import Inbox
import JSON

/// One event on its way to everybody who gets it as the same type.
///
/// Each distinct content is rendered and written once: the new one in each wording that somebody gets, and one for each
/// content that open batches share.
struct FanOut {
    private struct WrittenContent {
        let id: Int64
        let content: Content
    }

    private struct BatchRule {
        let key: String
        let window: Duration
    }

    /// A content that has grown, in one of its wordings.
    private struct Growth: Hashable {
        let content: Int64
        let variant: ContentVariant
    }

    private(set) var created = 0
    private(set) var updated = 0
    private(set) var suppressed = 0
    private let open: OpenTransaction
    private let event: Event
    private let type: NotificationType
    private let eventID: String
    /// What the event is about, as people can mute it.
    private let subjects: [String]
    /// When it happened.
    private let time: Timestamp
    private let now: Timestamp
    private let batching: BatchRule?
    private var fresh: [ContentVariant: WrittenContent] = [:]
    private var grown: [Growth: WrittenContent] = [:]

    init(_ event: Event, as type: NotificationType, id: String, at now: Timestamp, in open: OpenTransaction) {
        self.open = open
        self.event = event
        self.type = type
        self.now = now
        eventID = id
        subjects = type.subjects(of: event)
        time = event.occurredAt ?? now
        batching = type.batchWindow.flatMap { window in
            type.batchKey(for: event).map { BatchRule(key: $0, window: window) }
        }
    }

    /// - Parameter own: what the event says for this person alone.
    mutating func deliver(to user: UserID, own: JSONObject?) throws {
        var inbox = try open.inbox(of: user)
        let pushes: Bool
        switch inbox.person?.settings.reception(of: type, about: subjects) ?? type.usualReception {
        case .accepted(let mayPush): pushes = mayPush
        case .refused(let refusal):
            suppressed += 1
            let decision: TrailDecision =
                switch refusal {
                case .muted(let subject): .muted(subject)
                case .preferenceOff: .preferenceOff
                }
            return note(decision, inbox: inbox.id, notification: nil)
        }
        let recipient = Recipient(
            user: user, own: own, reader: inbox.person?.profile.reader ?? Reader(), pushes: pushes)
        if let batching, let record = try open.notifications.openBatch(inbox: inbox.id, key: batching.key) {
            let content = try open.contents.content(record.contentID)
            if let batch = content.batch, batch.admits(time, window: batching.window) {
                try grow(record, with: batch, in: &inbox, of: recipient)
                return try open.keep(inbox, of: user)
            }
            // Only one batch a key is open: the one that is about to begin.
            try open.notifications.closeBatch(inbox: inbox.id, id: record.id)
        }
        try add(to: &inbox, of: recipient)
        try open.keep(inbox, of: user)
    }

    private struct Recipient {
        let user: UserID
        let own: JSONObject?
        let reader: Reader
        let pushes: Bool
    }

    private func note(_ decision: TrailDecision, inbox: Int64, notification: Int64?) {
        open.trail.note(
            decision, type: type.name, of: eventID,
            to: TrailRecorder.Recipient(inbox: inbox, notification: notification))
    }

    // MARK: Growing

    private mutating func grow(
        _ old: NotificationRecord, with batch: Batch, in inbox: inout InboxRecord, of recipient: Recipient
    ) throws {
        let written = try grownContent(from: old.contentID, batch, for: recipient)
        let stamp = inbox.state.grow()
        var record = old
        (record.contentID, record.rev, record.seq) = (written.id, old.rev + 1, stamp.seq)
        try open.notifications.grow(record, inbox: inbox.id)
        try open.changes.append(.update(record.id), stamp, inbox: inbox.id)
        open.addUses(-1, ofContent: old.contentID)
        open.addUses(1, ofContent: written.id)
        let notification = record.notification(inbox: inbox.id, written.content)
        open.tell(InboxChange(stamp: stamp, kind: .update(notification)), to: recipient.user)
        note(.grew(.batched), inbox: inbox.id, notification: record.id)
        updated += 1
    }

    private mutating func grownContent(
        from id: Int64, _ batch: Batch, for recipient: Recipient
    ) throws -> WrittenContent {
        let growth = Growth(content: id, variant: type.variant(for: recipient.reader, own: recipient.own))
        if let written = grown[growth] { return written }
        let written = try write(
            type.content(for: event, own: recipient.own, reader: recipient.reader, at: time, growing: batch))
        grown[growth] = written
        return written
    }

    // MARK: Adding

    private mutating func add(to inbox: inout InboxRecord, of recipient: Recipient) throws {
        let written = try freshContent(for: recipient)
        let stamp = inbox.state.add()
        let record = NotificationRecord(stamp: stamp, contentID: written.id, createdAt: time)
        try open.notifications.insert(record, inbox: inbox.id, batchKey: batching?.key)
        open.addUses(1, ofContent: written.id)
        // Only the beginning of a batch is pushed; what it says is read when it is sent, so it shows what came until then.
        let push = try push(record.id, written.content, in: inbox, of: recipient)
        let notification = record.notification(inbox: inbox.id, written.content)
        open.tell(InboxChange(stamp: stamp, kind: .new(notification)), to: recipient.user)
        note(.created(push), inbox: inbox.id, notification: record.id)
        created += 1
    }

    private func push(
        _ notification: Int64, _ content: Content, in inbox: InboxRecord, of recipient: Recipient
    ) throws -> PushDecision {
        guard recipient.pushes else { return .preferenceOff }
        guard let push = content.push else { return .never }
        guard inbox.devices > 0 else { return .noDevice }
        return try PushWriter(open: open).queue(
            notification, push, of: type, for: event, at: now, in: inbox, of: recipient.user)
    }

    private mutating func freshContent(for recipient: Recipient) throws -> WrittenContent {
        let variant = type.variant(for: recipient.reader, own: recipient.own)
        if let written = fresh[variant] { return written }
        let written = try write(
            type.content(for: event, own: recipient.own, reader: recipient.reader, at: time, growing: nil))
        fresh[variant] = written
        return written
    }

    private func write(_ content: Content) throws -> WrittenContent {
        WrittenContent(id: try open.insert(content, event: eventID), content: content)
    }
}
