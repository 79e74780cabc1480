package import Inbox
package import JSON
import Store

/// One event on its way to all who get it as the same type.
///
/// Each distinct content is rendered and written once: a new one for each wording that is needed, and a grown one for
/// each content that open batches share.
package struct FanOut {
    /// A grown content in one of its wordings.
    private struct Growth: Hashable {
        let content: Int64
        let variant: ContentVariant
    }

    /// A written content, and whether it has the words of a push. With them, it also serves people without a device.
    private struct Rendered {
        let written: WrittenContent
        let withPush: Bool

        func serves(_ needsPush: Bool) -> Bool { withPush || !needsPush }
    }

    package var created = 0
    package var updated = 0
    package var suppressed = 0
    package let type: NotificationType
    package let open: OpenTransaction
    package let routed: RoutedEvent
    private let eventID: String
    private let actorID: String?
    /// When the event happened.
    package let time: Timestamp
    package let now: Timestamp
    /// The batch for people without data of their own; nil if the notification stands alone.
    private let batchKey: String?
    private var fresh: [ContentVariant: Rendered] = [:]
    private var grown: [Growth: Rendered] = [:]

    package init(
        _ routed: RoutedEvent, as type: NotificationType, id: String, at now: Timestamp, in open: OpenTransaction
    ) {
        self.open = open
        self.routed = routed
        self.type = type
        self.now = now
        eventID = id
        actorID = routed.event.actorID
        time = routed.event.occurredAt ?? now
        batchKey = type.batchKey(for: routed.event)
    }

    /// Delivers to one recipient of the event; each is named once.
    ///
    /// - Parameter own: the event's data for this person alone.
    package mutating func deliver(to user: UserID, own: JSONObject?) throws {
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
            // What nobody wants to hear of any more has to leave the screen all the same.
            if type.activityEvent == .end {
                try tellActivity(nil, in: inbox, own: own, reader: inbox.person?.reader ?? Reader(), isQuiet: true)
            }
            return try note(decision, of: user, inbox: inbox.id, notification: nil)
        }
        let recipient = Recipient(
            user: user, own: own, reader: inbox.person?.reader ?? Reader(), pushes: pushes,
            batchKey: batchKey(own: own))
        if reception == .pushOnly { return try deliverPushOnly(to: inbox, of: recipient) }
        if let key = recipient.batchKey, let window = type.batchWindow,
            let record = try open.contents.openBatch(inbox: inbox.id, key: key)
        {
            let content = try open.content(record.contentID)
            if let batch = content.batch, batch.admits(time, window: window) {
                try grow(record, with: batch, in: &inbox, of: recipient)
                return try open.keep(inbox, of: user)
            }
            // Only one batch a key is open: the old one makes way for the new one.
            try open.notifications.closeBatch(inbox: inbox.id, id: record.id)
        }
        try add(to: &inbox, of: recipient)
        try open.keep(inbox, of: user)
        let maximum = open.options.maximumRows
        if maximum > 0, inbox.state.total > maximum + TrimWriter.slack(ofMaximum: maximum) {
            _ = try TrimWriter(open: open, now: now).trim(user, olderThan: nil, limit: open.options.erasuresPerStep)
        }
    }

    /// The batch of a person with this own data; nil if the notification stands alone.
    func batchKey(own: JSONObject?) -> String? { own == nil ? batchKey : type.batchKey(for: routed.event, own: own) }

    private func reception(by person: Person?, own: JSONObject?) -> Reception {
        guard let settings = person?.settings else { return type.usualReception }
        return settings.reception(of: type, about: type.subjects(of: routed.event, own: own), at: now)
    }

    /// The chooser by whose word the person gets no push of the type.
    private func silencer(_ person: Person?) -> Chooser {
        (person?.settings ?? UserSettings()).wishes(of: type).push.by
    }

    package struct Recipient {
        package let user: UserID
        package let own: JSONObject?
        package let reader: Reader
        package let pushes: Bool
        package let batchKey: String?

        package init(user: UserID, own: JSONObject?, reader: Reader, pushes: Bool, batchKey: String?) {
            (self.user, self.own, self.reader, self.pushes, self.batchKey) = (user, own, reader, pushes, batchKey)
        }
    }

    /// Tells the person's Live Activity what the event says, if the type has one.
    ///
    /// - Parameters:
    ///   - notification: for the trail; nil if there is none.
    ///   - isQuiet: whether the person wants no pushes of the type.
    func tellActivity(
        _ notification: Int64?, in inbox: InboxRecord, own: JSONObject?, reader: Reader, isQuiet: Bool = false
    ) throws {
        guard inbox.devices > 0, let content = type.activity(for: routed.event, own: own, reader: reader) else {
            return
        }
        try ActivityWriter(open: open, now: now).tell(
            isQuiet ? content.quiet : content, of: routed.event, notification: notification, in: inbox, at: time)
    }

    package func note(_ decision: TrailDecision, of user: UserID, inbox: Int64, notification: Int64?) throws {
        try open.trail.note(
            decision, type: type.name, of: eventID,
            to: TrailRecorder.Recipient(
                inbox: inbox, notification: notification, isLive: open.isConnected(user)))
    }

    /// Notes a new notification's question if its time ends.
    package func noteQuestion(_ notification: Int64, in inbox: InboxRecord) {
        guard let question = routed.event.question, let answerBy = question.answerBy else { return }
        open.add(
            OpenQuestion(
                id: NotificationID(inbox: inbox.id, sequence: notification), event: eventID, answerBy: answerBy,
                fallback: question.fallback))
    }

    /// Keeps the content for the answer to a dry run.
    package func noteRehearsed(_ notification: Int64, _ content: Content, in inbox: InboxRecord) {
        guard open.isRehearsal else { return }
        open.noteRehearsed(NotificationID(inbox: inbox.id, sequence: notification), content, by: eventID)
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
            try open.notifications.raise(record, from: old.place, inbox: inbox.id, at: now)
            try open.changes.append(.raised(record.id, from: old.place), stamp, inbox: inbox.id)
        } else {
            try open.changes.append(.update(record.id), stamp, inbox: inbox.id)
        }
        open.contents.addUses(-1, ofContent: old.contentID)
        open.contents.addUses(1, ofContent: written.id)
        open.tell(
            InboxChange(stamp: stamp, kind: .update(record.notification(inbox: inbox.id, written.content))),
            to: recipient.user, mayBePushed: inbox.devices > 0)
        let push = try renewPush(record.id, written.content, in: inbox, of: recipient)
        try note(.grew(push), of: recipient.user, inbox: inbox.id, notification: record.id)
        noteRehearsed(record.id, written.content, in: inbox)
        updated += 1
    }

    private func renewPush(
        _ notification: Int64, _ content: Content, in inbox: InboxRecord, of recipient: Recipient
    ) throws -> PushDecision {
        guard recipient.pushes else { return .preferenceOff(silencer(inbox.person)) }
        return try PushWriter(open: open).grew(
            notification, content, of: type, for: routed.event, at: now, in: inbox, of: recipient.user)
    }

    package mutating func grownContent(
        from id: Int64, _ batch: Batch, for recipient: Recipient, in inbox: InboxRecord
    ) throws -> WrittenContent {
        let growth = Growth(content: id, variant: type.variant(for: recipient.reader, own: recipient.own))
        // A push of it may still wait from a time when the person had a device.
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
        try open.contents.add(
            NewNotification(
                record: record, storedAt: now, inbox: inbox.id, batchKey: recipient.batchKey, marks: written.marks))
        // Only the beginning of a batch is pushed. The push reads the content when it leaves, so it shows all that came
        // until then.
        let push = try push(record.id, written, in: inbox, of: recipient)
        open.tell(
            InboxChange(stamp: stamp, kind: .new(record.notification(inbox: inbox.id, written.content))),
            to: recipient.user, mayBePushed: inbox.devices > 0)
        try note(.created(push), of: recipient.user, inbox: inbox.id, notification: record.id)
        noteQuestion(record.id, in: inbox)
        noteRehearsed(record.id, written.content, in: inbox)
        if let event = type.activityEvent, recipient.pushes || event == .end {
            try tellActivity(
                record.id, in: inbox, own: recipient.own, reader: recipient.reader, isQuiet: !recipient.pushes)
        }
        created += 1
    }

    private func push(
        _ notification: Int64, _ written: WrittenContent, in inbox: InboxRecord, of recipient: Recipient
    ) throws -> PushDecision {
        guard recipient.pushes else { return .preferenceOff(silencer(inbox.person)) }
        guard type.hasPush else { return .never(byEvent: false) }
        guard inbox.devices > 0 else { return .noDevice }
        // Higher numbers belong to push-only notifications.
        guard let push = written.content.sharedPush, !PushOnlyNumber.isOne(notification) else {
            return .never(byEvent: false)
        }
        return try PushWriter(open: open).queue(
            notification, push.content, row: written.id, of: type, for: routed.event, at: now, in: inbox,
            of: recipient.user)
    }

    package mutating func freshContent(
        for recipient: Recipient, in inbox: InboxRecord
    ) throws -> WrittenContent {
        let needsPush = needsPush(recipient, in: inbox)
        let variant = type.variant(for: recipient.reader, own: recipient.own)
        if let known = fresh[variant], known.serves(needsPush) { return known.written }
        let rendered = try render(for: recipient, growing: nil, withPush: needsPush)
        fresh[variant] = rendered
        return rendered.written
    }

    /// The words of a push are half of a content's bytes and more than half of the work on it. Most people have no
    /// device now, and so get no push of this notification.
    private func needsPush(_ recipient: Recipient, in inbox: InboxRecord) -> Bool {
        type.hasPush && ((recipient.pushes && inbox.devices > 0) || open.isRehearsal)
    }

    private func render(for recipient: Recipient, growing batch: Batch?, withPush: Bool) throws -> Rendered {
        let content = type.content(
            for: routed.event, own: recipient.own, reader: recipient.reader, at: time, growing: batch,
            withPush: withPush)
        let id = try open.contents.insert(content, event: eventID, actor: actorID)
        return Rendered(written: WrittenContent(id: id, content: content), withPush: withPush)
    }
}
