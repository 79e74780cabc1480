import Inbox

extension OpenTransaction {
    /// Shows another content in a notification's place: it takes the next `seq`, and nothing has come.
    ///
    /// - Parameters:
    ///   - inbox: the notification's, which is kept by this.
    ///   - event: the one that was taken out of it; nil if none was.
    func exchange(
        _ inbox: inout InboxRecord, _ old: NotificationRecord, content: WrittenContent, without event: String? = nil,
        of user: UserID
    ) throws {
        var record = old
        if let event, record.fresh.lose(event) { record.isSeen = true }
        let stamp = inbox.state.alter(seesAgain: record.isSeen && !old.isSeen)
        (record.contentID, record.rev, record.seq) = (content.id, old.rev + 1, stamp.seq)
        try write(grown: record, content.marks, in: inbox)
        try changes.append(.update(record.id), stamp, inbox: inbox.id)
        newRows.addUses(-1, ofContent: old.contentID)
        newRows.addUses(1, ofContent: content.id)
        tell(InboxChange(stamp: stamp, kind: .update(record.notification(inbox: inbox.id, content.content))), to: user)
        try keep(inbox, of: user)
    }

    /// As above, of one that is only pushed: no number of the inbox moves, and nobody is told.
    func exchange(pushOnly old: NotificationRecord, in inbox: InboxRecord, content: WrittenContent) throws {
        var record = old
        (record.contentID, record.rev) = (content.id, old.rev + 1)
        try write(grown: record, content.marks, in: inbox)
        newRows.addUses(-1, ofContent: old.contentID)
        newRows.addUses(1, ofContent: content.id)
    }

    /// Writes a notification's new content, `rev` and `seq`; a push of it that waits is to show that content.
    func write(grown record: NotificationRecord, _ marks: ContentMarks, in inbox: InboxRecord) throws {
        try notifications.grow(record, marks, inbox: inbox.id)
        // Also of devices that may get no pushes now: they may again when it is due.
        if inbox.devices > 0 { try pushJobs.clearContent(inbox: inbox.id, notification: record.id) }
    }
}
