package import Inbox
package import Store

/// Gives questions their one answer: whoever comes first within the store's order of transactions.
package struct AnswerWriter {
    package let open: OpenTransaction
    package let now: Timestamp

    package init(open: OpenTransaction, now: Timestamp) { (self.open, self.now) = (open, now) }

    /// Who answers has read the notification, so its pushes go, on all devices.
    package func apply(_ given: GivenAnswer) throws -> AnswerOutcome {
        guard let (inbox, record) = try find(given.notification, of: given.user) else { return .unknownNotification }
        guard let asked = AskedQuestion(of: try open.content(record.contentID)) else { return .asksNothing }
        if let answer = asked.answer { return .earlier(answer) }
        guard asked.question.has(given.action) else { return .unknownAction(asked.question.actions.map(\.id)) }
        if asked.question.answerBy != nil { _ = try open.take([given.notification]) }
        var written: [Int64: Written] = [:]
        if asked.question.isOver(at: now) {
            let answer = asked.question.lateAnswer(at: now)
            try write(answer, to: asked, record, in: inbox, of: given.user, &written)
            return .earlier(answer)
        }
        let answer = Answer(action: given.action, at: now, way: given.way)
        try write(answer, to: asked, record, in: inbox, of: given.user, &written)
        if record.isPushOnly {
            try PushWriter(open: open).dismiss([record.id], in: inbox, at: now, because: .read)
        } else {
            _ = try CommandWriter(open: open, now: now).apply(.read(.ids([given.notification])), for: given.user)
        }
        return .stored(answer)
    }

    /// Ends the time to answer, which is over, for those who have not answered. The default counts also where the person
    /// has removed the notification, but not where the event was taken back.
    package func settle(_ ids: [NotificationID]) throws {
        // Whoever changes an inbox has its lock by then, so that of two who settle one question the first one does.
        try open.expect { .owners(ids.map(\.inbox)) }
        try open.expect { .notifications(ids) }
        let taken = try open.take(ids).reduce(into: [:]) { $0[$1.id] = $1 }
        var written: [Int64: Written] = [:]
        for id in ids {
            guard let user = try open.user(ofInbox: id.inbox) else { continue }
            if let (inbox, record) = try find(id, of: user) {
                guard let asked = AskedQuestion(of: try open.content(record.contentID)), asked.answer == nil else {
                    continue
                }
                try write(asked.question.lateAnswer(at: now), to: asked, record, in: inbox, of: user, &written)
            } else if let question = taken[id], try !open.trailRows.isRetracted(question.event) {
                let answer = Answer(action: question.fallback, at: now, way: .expiry)
                note(answer, of: id, event: question.event, by: user)
            }
        }
    }

    private func find(_ id: NotificationID, of user: UserID) throws -> (InboxRecord, NotificationRecord)? {
        guard let inbox = try open.knownInbox(of: user), id.inbox == inbox.id,
            let record = try open.notifications.record(inbox: inbox.id, id: id.sequence)
        else { return nil }
        return (inbox, record)
    }

    /// A content with its answer.
    private struct Written {
        let content: WrittenContent
        /// The event that asked.
        let event: String
    }

    /// - Parameter known: by the content without the answer, those that have this answer.
    private func write(
        _ answer: Answer, to asked: AskedQuestion, _ record: NotificationRecord, in inbox: InboxRecord, of user: UserID,
        _ known: inout [Int64: Written]
    ) throws {
        let written = try known[record.contentID] ?? content(record.contentID, of: asked, with: answer)
        known[record.contentID] = written
        if record.isPushOnly {
            try open.exchange(pushOnly: record, in: inbox, content: written.content)
        } else {
            var inbox = inbox
            try open.exchange(&inbox, record, content: written.content, of: user)
        }
        note(answer, of: NotificationID(inbox: inbox.id, sequence: record.id), event: written.event, by: user)
    }

    private func content(_ id: Int64, of asked: AskedQuestion, with answer: Answer) throws -> Written {
        guard let source = try open.contents.source(ofContent: id) else { throw DamagedRow(table: "content") }
        let old = try open.content(id)
        let content = Content(
            type: old.type, displayText: old.displayText, body: asked.body(with: answer), batch: old.batch,
            push: old.push, group: old.group, groupText: old.groupText)
        let new = WrittenContent(
            id: try open.contents.insert(content, event: source.event, actor: source.actor), content: content)
        return Written(content: new, event: source.event)
    }

    private func note(_ answer: Answer, of id: NotificationID, event: String, by user: UserID) {
        open.trail.note(.answered(TrailAnswer(answer)), of: id.sequence, inbox: id.inbox, at: answer.at)
        open.tellWebhooks(of: answer, to: id, event: event, of: user, at: now)
    }
}
