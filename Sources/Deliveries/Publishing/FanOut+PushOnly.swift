import Inbox

/// Push-only notifications never stand in an inbox: they take no `seq`, count nowhere, and no session hears of them.
extension FanOut {
    /// - Parameter recipient: takes pushes of the type, and does not want it in the inbox.
    package mutating func deliverPushOnly(to inbox: InboxRecord, of recipient: Recipient) throws {
        let table = open.pushOnly
        if let key = recipient.batchKey, let window = type.batchWindow,
            let record = try table.openBatch(inbox: inbox.id, key: key)
        {
            if let batch = try open.content(record.contentID).batch, batch.admits(time, window: window) {
                return try grow(record, with: batch, in: inbox, of: recipient)
            }
            try table.closeBatch(inbox: inbox.id, id: record.id)
        }
        guard type.hasPush || type.activityEvent != nil else {
            return try suppress(.never(byEvent: false), in: inbox, of: recipient)
        }
        // A dry run shows what a phone would show, even if the person has none.
        guard inbox.devices > 0 || open.isRehearsal else { return try suppress(.noDevice, in: inbox, of: recipient) }
        guard let number = PushOnlyNumber.next(after: try table.newest(inbox: inbox.id), at: now) else {
            return try suppress(.noDevice, in: inbox, of: recipient)
        }
        try add(number, in: inbox, of: recipient)
    }

    private mutating func suppress(
        _ push: PushDecision, in inbox: InboxRecord, of recipient: Recipient
    ) throws {
        try note(.pushOnly(push), of: recipient.user, inbox: inbox.id, notification: nil)
        suppressed += 1
    }

    private mutating func add(_ number: Int64, in inbox: InboxRecord, of recipient: Recipient) throws {
        let written = try freshContent(for: recipient, in: inbox)
        var decision = PushDecision.never(byEvent: false)
        if let push = written.content.sharedPush {
            decision = try PushWriter(open: open).queue(
                number, push.content, row: written.id, of: type, for: routed.event, at: now, in: inbox,
                of: recipient.user)
        }
        noteRehearsed(number, written.content, in: inbox)
        // Without a push there is nothing to take back later, so no row is kept.
        guard decision.isQueued || type.activityEvent != nil else {
            guard open.isRehearsal else { return try suppress(decision, in: inbox, of: recipient) }
            try note(.pushOnly(decision), of: recipient.user, inbox: inbox.id, notification: number)
            suppressed += 1
            return
        }
        let record = NotificationRecord(pushOnly: number, contentID: written.id, createdAt: time)
        try open.pushOnly.insert(
            NewNotification(
                record: record, storedAt: now, inbox: inbox.id, batchKey: recipient.batchKey,
                marks: written.marks))
        open.contents.addUses(1, ofContent: written.id)
        try note(.pushOnly(decision), of: recipient.user, inbox: inbox.id, notification: number)
        noteQuestion(number, in: inbox)
        try tellActivity(number, in: inbox, own: recipient.own, reader: recipient.reader)
        created += 1
    }

    private mutating func grow(
        _ record: NotificationRecord, with batch: Batch, in inbox: InboxRecord, of recipient: Recipient
    ) throws {
        let written = try grownContent(from: record.contentID, batch, for: recipient, in: inbox)
        try open.exchange(pushOnly: record, in: inbox, content: written)
        noteRehearsed(record.id, written.content, in: inbox)
        let decision = try PushWriter(open: open).grew(
            record.id, written.content, of: type, for: routed.event, at: now, in: inbox, of: recipient.user)
        try note(.pushOnly(decision), of: recipient.user, inbox: inbox.id, notification: record.id)
        updated += 1
    }
}
