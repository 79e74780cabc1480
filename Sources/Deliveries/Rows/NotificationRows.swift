package import Inbox

/// Notifications of inboxes. A number that is a ``PushOnlyNumber`` leads to a push-only notification.
package protocol NotificationRows: AnyObject {
    func record(inbox: Int64, id: Int64) throws -> NotificationRecord?
    /// The row of a notification's content; nil for a missing notification.
    func content(inbox: Int64, id: Int64) throws -> Int64?
    /// For each notification its content's row and its `rev`; nil for a missing one.
    func contents(_ wanted: [(inbox: Int64, notification: Int64)]) throws -> [(content: Int64, rev: Int64)?]
    /// All whose content last changed at or before `seq`, newest first.
    func upTo(_ seq: Int64, inbox: Int64) throws -> [NotificationRecord]
    /// The lowest of the inbox's list, the lowest first, each with the time when it was stored or came up again.
    func lowest(inbox: Int64, limit: Int) throws -> [(id: Int64, storedAt: Timestamp)]

    /// The unread ones, in the list's order.
    /// - Parameter count: how many there are; the search ends there.
    func unread(inbox: Int64, count: Int64) throws -> [NotificationRecord]
    /// The unseen ones, in the list's order.
    func unseen(inbox: Int64, count: Int64) throws -> [NotificationRecord]
    /// The unread ones of a group.
    func unread(ofGroup group: String, inbox: Int64) throws -> [NotificationRecord]
    /// Whether any of a group is there, read or not.
    func hasAny(ofGroup group: String, inbox: Int64) throws -> Bool

    /// Writes the record's content, `rev`, `seq`, and how much of it was seen.
    func grow(_ record: NotificationRecord, _ marks: ContentMarks, inbox: Int64) throws
    /// Writes the record's new place, and lets it age from now on, like its new neighbours.
    /// - Parameter place: where it stood, unread.
    func raise(_ record: NotificationRecord, from place: Int64, inbox: Int64, at now: Timestamp) throws
    /// Marks unread notifications read. Their batches do not grow any more.
    func markRead(_ rows: [NotificationRecord], inbox: Int64) throws
    func markSeen(_ rows: [NotificationRecord], inbox: Int64) throws
    func closeBatch(inbox: Int64, id: Int64) throws
    func remove(_ rows: [NotificationRecord], inbox: Int64) throws
}
