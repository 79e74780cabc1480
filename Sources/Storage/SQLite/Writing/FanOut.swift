import Inbox
import JSON

/// One event on its way to everybody who gets it as the same type.
///
/// Each distinct content is rendered and written once: the new one in each wording that somebody gets, and one for each
/// content that open batches share.
struct FanOut {
    /// A content that has grown, in one of its wordings.
    private struct Growth: Hashable {
        let content: Int64
        let variant: ContentVariant
    }

    /// A content that is written, and whether it says what a phone shows. One that does serves those who have no phone,
    /// too.
    private struct Rendered {
        let written: WrittenContent
        let withPush: Bool

        func serves(_ needsPush: Bool) -> Bool { withPush || !needsPush }
    }

    var created = 0
    var updated = 0
    var suppressed = 0
    let type: NotificationType
    let open: OpenTransaction
    /// Of which the event is only looked at: it has a dozen things that copying it would count.
    let routed: RoutedEvent
    private let eventID: String
    /// Whose doing it is.
    private let actorID: String?
    /// Nobody comes after the first one: what they got need not be remembered.
    var isForOne = false
    /// What the event is about, as people can mute it. Most have muted nothing, and then nobody asks.
    private lazy var subjects = type.subjects(of: routed.event)
    /// When it happened.
    let time: Timestamp
    let now: Timestamp
    /// In which batch it belongs for people who have no data of their own; nil if it stands alone.
    private let batchKey: String?
    private let maximumRows: Int64
    private let slack: Int64
    /// What the last reader without data of their own got: mostly the next one reads the same.
    private var newest: (reader: Reader, rendered: Rendered)?
    /// The first wording, which for most events is the only one.
    private var first: (variant: ContentVariant, rendered: Rendered)?
    private var others: [ContentVariant: Rendered] = [:]
    private var grown: [Growth: Rendered] = [:]

    /// - Parameter actor: the event's ``Event/actorID``.
    init(
        _ routed: RoutedEvent, as type: NotificationType, id: String, by actor: String?, at now: Timestamp,
        in open: OpenTransaction
    ) {
        self.open = open
        self.routed = routed
        self.type = type
        self.now = now
        (eventID, actorID) = (id, actor)
        time = routed.event.occurredAt ?? now
        // Asked first: the event would be copied for it.
        batchKey = type.batchWindow == nil ? nil : type.batchKey(for: routed.event)
        maximumRows = open.options.maximumRows
        slack = TrimWriter.slack(ofMaximum: maximumRows)
    }

    /// Delivers to one of the event's people, each of whom is named once.
    ///
    /// - Parameter own: what the event says for this person alone.
    mutating func deliver(to user: UserID, own: JSONObject?) throws {
        var inbox = try open.inbox(of: user)
        let pushes: Bool
        let reception = reception(by: inbox.person, own: own)
        switch reception {
        case .accepted(let mayPush): pushes = mayPush
        case .pushOnly: pushes = true
        case .refused(let refusal):
            suppressed += 1
            let decision: TrailDecision =
                switch refusal {
                case .muted(let subject): .muted(subject)
                case .preferenceOff: .preferenceOff(silencer(inbox.person))
                }
            return note(decision, of: user, inbox: inbox.id, notification: nil)
        }
        let recipient = Recipient(
            user: user, own: own, reader: inbox.person?.reader ?? Reader(), pushes: pushes,
            batchKey: own == nil ? batchKey : type.batchKey(for: routed.event, own: own))
        if reception == .pushOnly { return try deliverPushOnly(to: inbox, of: recipient) }
        if let key = recipient.batchKey, let window = type.batchWindow,
            let record = try open.openBatch(inbox: inbox.id, key: key)
        {
            let content = try open.content(record.contentID)
            if let batch = content.batch, batch.admits(time, window: window) {
                try grow(record, with: batch, in: &inbox, of: recipient)
                return try open.keep(inbox, of: user)
            }
            // Only one batch a key is open: the one that is about to begin.
            try open.notifications.closeBatch(inbox: inbox.id, id: record.id)
        }
        try add(to: &inbox, of: recipient)
        try open.keep(inbox, of: user)
        if maximumRows > 0, inbox.state.total > maximumRows + slack {
            _ = try TrimWriter(open: open, now: now).trim(user, olderThan: nil, limit: open.options.erasuresPerStep)
        }
    }

    private mutating func reception(by person: Person?, own: JSONObject?) -> Reception {
        guard let settings = person?.settings else { return type.usualReception }
        let subjects = own == nil ? subjects : type.subjects(of: routed.event, own: own)
        return settings.reception(of: type, about: subjects, at: now)
    }

    /// Whose word it is that the person gets no push of the type.
    private func silencer(_ person: Person?) -> Chooser {
        (person?.settings ?? UserSettings()).wishes(of: type).push.by
    }

    struct Recipient {
        let user: UserID
        let own: JSONObject?
        let reader: Reader
        let pushes: Bool
        let batchKey: String?
    }

    func note(_ decision: TrailDecision, of user: UserID, inbox: Int64, notification: Int64?) {
        open.trail.note(
            decision, type: type.name, of: eventID,
            to: TrailRecorder.Recipient(
                inbox: inbox, notification: notification, isLive: open.options.isConnected(user)))
    }

    // MARK: Growing

    private mutating func grow(
        _ old: NotificationRecord, with batch: Batch, in inbox: inout InboxRecord, of recipient: Recipient
    ) throws {
        let written = try grownContent(from: old.contentID, batch, for: recipient, in: inbox)
        let stamp = inbox.state.grow(wasSeen: old.isSeen)
        var record = old
        (record.contentID, record.rev, record.seq, record.isSeen) = (written.id, old.rev + 1, stamp.seq, false)
        record.fresh.grow(by: eventID, wasSeen: old.isSeen)
        try open.write(grown: record, written.marks, in: inbox)
        if type.comesUpAgain {
            record.place = stamp.seq
            try open.notifications.raise(record, from: old.place, inbox: inbox.id)
            try open.changes.append(.raised(record.id, from: old.place), stamp, inbox: inbox.id)
        } else {
            try open.changes.append(.update(record.id), stamp, inbox: inbox.id)
        }
        open.newRows.addUses(-1, ofContent: old.contentID)
        open.newRows.addUses(1, ofContent: written.id)
        open.tell(
            InboxChange(stamp: stamp, kind: .update(record.notification(inbox: inbox.id, written.content))),
            to: recipient.user, mayBePushed: inbox.devices > 0)
        let push = try renewPush(record.id, written.content, in: inbox, of: recipient)
        note(.grew(push), of: recipient.user, inbox: inbox.id, notification: record.id)
        updated += 1
    }

    private func renewPush(
        _ notification: Int64, _ content: Content, in inbox: InboxRecord, of recipient: Recipient
    ) throws -> PushDecision {
        guard recipient.pushes else { return .preferenceOff(silencer(inbox.person)) }
        return try PushWriter(open: open).grew(
            notification, content, of: type, for: routed.event, at: now, in: inbox, of: recipient.user)
    }

    mutating func grownContent(
        from id: Int64, _ batch: Batch, for recipient: Recipient, in inbox: InboxRecord
    ) throws -> WrittenContent {
        let growth = Growth(content: id, variant: type.variant(for: recipient.reader, own: recipient.own))
        // A push of it may wait from a time when its owner had a device.
        let needsPush = try needsPush(recipient, in: inbox) || open.content(id).sharedPush != nil
        if let known = grown[growth], known.serves(needsPush) { return known.written }
        let rendered = try render(for: recipient, growing: batch, withPush: needsPush)
        grown[growth] = rendered
        return rendered.written
    }

    // MARK: Adding

    private mutating func add(to inbox: inout InboxRecord, of recipient: Recipient) throws {
        let written = try freshContent(for: recipient, in: inbox)
        let stamp = inbox.state.add()
        let record = NotificationRecord(stamp: stamp, contentID: written.id, createdAt: time)
        try open.newRows.add(
            NotificationTable.NewRow(
                record: record, storedAt: now, inbox: inbox.id, batchKey: recipient.batchKey, marks: written.marks))
        // Only the beginning of a batch is pushed; what it says is read when it is sent, so it shows what came until
        // then.
        let push = try push(record.id, written, in: inbox, of: recipient)
        open.tell(
            InboxChange(stamp: stamp, kind: .new(record.notification(inbox: inbox.id, written.content))),
            to: recipient.user, mayBePushed: inbox.devices > 0)
        note(.created(push), of: recipient.user, inbox: inbox.id, notification: record.id)
        created += 1
    }

    private func push(
        _ notification: Int64, _ written: WrittenContent, in inbox: InboxRecord, of recipient: Recipient
    ) throws -> PushDecision {
        guard recipient.pushes else { return .preferenceOff(silencer(inbox.person)) }
        guard type.hasPush else { return .never(byEvent: false) }
        guard inbox.devices > 0 else { return .noDevice }
        // Numbers beyond are those of what is only pushed.
        guard let push = written.content.sharedPush, !PushOnlyNumber.isOne(notification) else {
            return .never(byEvent: false)
        }
        return try PushWriter(open: open).queue(
            notification, push.content, row: written.id, of: type, for: routed.event, at: now, in: inbox,
            of: recipient.user)
    }

    mutating func freshContent(
        for recipient: Recipient, in inbox: InboxRecord
    ) throws -> WrittenContent {
        let needsPush = needsPush(recipient, in: inbox)
        if isForOne { return try render(for: recipient, growing: nil, withPush: needsPush).written }
        if recipient.own == nil, let newest, newest.reader == recipient.reader, newest.rendered.serves(needsPush) {
            return newest.rendered.written
        }
        let variant = type.variant(for: recipient.reader, own: recipient.own)
        let isFirst = first.map { $0.variant == variant } ?? true
        let rendered: Rendered
        if let known = isFirst ? first?.rendered : others[variant], known.serves(needsPush) {
            rendered = known
        } else {
            rendered = try render(for: recipient, growing: nil, withPush: needsPush)
            if isFirst { first = (variant, rendered) } else { others[variant] = rendered }
        }
        if recipient.own == nil { newest = (recipient.reader, rendered) }
        return rendered.written
    }

    /// What a phone shows is half of a content's bytes and more than half of the work on it, and most people have none:
    /// only those who have a device now can get a push of this.
    private func needsPush(_ recipient: Recipient, in inbox: InboxRecord) -> Bool {
        type.hasPush && ((recipient.pushes && inbox.devices > 0) || open.isRehearsal)
    }

    private func render(for recipient: Recipient, growing batch: Batch?, withPush: Bool) throws -> Rendered {
        let content = type.content(
            for: routed.event, own: recipient.own, reader: recipient.reader, at: time, growing: batch,
            withPush: withPush)
        let id = try open.newRows.insert(content, event: eventID, actor: actorID)
        return Rendered(written: WrittenContent(id: id, content: content), withPush: withPush)
    }
}
