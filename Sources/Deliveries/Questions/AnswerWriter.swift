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
        if asked.question.isOver(at: now) {
            let answer = asked.question.lateAnswer(at: now)
            try write(answer, to: asked, record, in: inbox, of: given.user)
            return .earlier(answer)
        }
        let answer = Answer(action: given.action, at: now, way: given.way)
        try write(answer, to: asked, record, in: inbox, of: given.user)
        if record.isPushOnly {
            try PushWriter(open: open).dismiss([record.id], in: inbox, at: now, because: .read)
        } else {
            _ = try CommandWriter(open: open, now: now).apply(.read(.ids([given.notification])), for: given.user)
        }
        return .stored(answer)
    }

    /// Ends the time to answer. The default counts also where the person has removed the notification.
    package func settle(_ person: UnansweredQuestion, of question: Question) throws {
        guard question.isOver(at: now) else { return }
        guard let (inbox, record) = try find(person.notification, of: person.user) else {
            note(question.lateAnswer(at: now), of: person.notification, event: nil, by: person.user)
            return
        }
        guard let asked = AskedQuestion(of: try open.content(record.contentID)), asked.answer == nil else { return }
        try write(asked.question.lateAnswer(at: now), to: asked, record, in: inbox, of: person.user)
    }

    private func find(_ id: NotificationID, of user: UserID) throws -> (InboxRecord, NotificationRecord)? {
        guard let inbox = try open.knownInbox(of: user), id.inbox == inbox.id,
            let record = try open.notifications.record(inbox: inbox.id, id: id.sequence)
        else { return nil }
        return (inbox, record)
    }

    private func write(
        _ answer: Answer, to asked: AskedQuestion, _ record: NotificationRecord, in inbox: InboxRecord, of user: UserID
    ) throws {
        guard let source = try open.contents.source(ofContent: record.contentID) else {
            throw DamagedRow(table: "content")
        }
        let old = try open.content(record.contentID)
        let content = Content(
            type: old.type, displayText: old.displayText, body: asked.body(with: answer), batch: old.batch,
            push: old.push, group: old.group, groupText: old.groupText)
        let written = WrittenContent(
            id: try open.contents.insert(content, event: source.event, actor: source.actor), content: content)
        if record.isPushOnly {
            try open.exchange(pushOnly: record, in: inbox, content: written)
        } else {
            var inbox = inbox
            try open.exchange(&inbox, record, content: written, of: user)
        }
        note(answer, of: NotificationID(inbox: inbox.id, sequence: record.id), event: source.event, by: user)
    }

    /// - Parameter event: the one that asked; nil where the notification is gone.
    private func note(_ answer: Answer, of id: NotificationID, event: String?, by user: UserID) {
        open.trail.note(.answered(TrailAnswer(answer)), of: id.sequence, inbox: id.inbox, at: answer.at)
        open.tellWebhooks(of: answer, to: id, event: event, of: user, at: now)
    }
}
