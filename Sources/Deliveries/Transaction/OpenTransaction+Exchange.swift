package import Inbox

extension OpenTransaction {
    /// Shows another content in a notification's place. It takes the next `seq`, but is no new notification.
    ///
    /// - Parameters:
    ///   - inbox: the notification's, which this keeps.
    ///   - event: the one that was taken out of the notification; nil if none was.
    package func exchange(
        _ inbox: inout InboxRecord, _ old: NotificationRecord, content: WrittenContent, without event: String? = nil,
        of user: UserID
    ) throws {
        var record = old
        if let event, record.fresh.lose(event) { record.isSeen = true }
        let stamp = inbox.state.alter(seesAgain: record.isSeen && !old.isSeen)
        (record.contentID, record.rev, record.seq) = (content.id, old.rev + 1, stamp.seq)
        try write(grown: record, content.marks, in: inbox)
        try changes.append(.update(record.id), stamp, inbox: inbox.id)
        contents.addUses(-1, ofContent: old.contentID)
        contents.addUses(1, ofContent: content.id)
        tell(InboxChange(stamp: stamp, kind: .update(record.notification(inbox: inbox.id, content.content))), to: user)
        try keep(inbox, of: user)
    }

    /// Shows another content in a push-only notification's place: no number of the inbox moves, and no session is told.
    package func exchange(pushOnly old: NotificationRecord, in inbox: InboxRecord, content: WrittenContent) throws {
        var record = old
        (record.contentID, record.rev) = (content.id, old.rev + 1)
        try write(grown: record, content.marks, in: inbox)
        contents.addUses(-1, ofContent: old.contentID)
        contents.addUses(1, ofContent: content.id)
    }

    /// Writes a notification's new content, `rev` and `seq`. A push of it that waits will show that content.
    package func write(grown record: NotificationRecord, _ marks: ContentMarks, in inbox: InboxRecord) throws {
        try notifications.grow(record, marks, inbox: inbox.id)
        // Includes devices that may get no pushes now: they may again when the push is due.
        if inbox.devices > 0 { try pushJobs.clearContent(inbox: inbox.id, notification: record.id) }
    }
}
