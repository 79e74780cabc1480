package import Inbox
package import Store

/// Reads inboxes.
package protocol InboxReads {
    /// Nil for a person without an inbox.
    func record(of user: UserID) throws -> InboxRecord?
    /// Each row with its content; nil for a damaged one.
    func notifications(_ rows: [NotificationRecord], of inbox: InboxRecord) throws -> [Notification?]

    /// The rows that have come since `seq`, in any order.
    func rows(after seq: Int64, inbox: Int64) throws -> [NotificationRecord]
    /// Those that are there, in any order.
    func rows(_ ids: [Int64], inbox: Int64) throws -> [NotificationRecord]
    /// The changes since `seq` that rows do not tell, in any order.
    func changes(after seq: Int64, inbox: Int64) throws -> [(stamp: ChangeStamp, change: LoggedChange)]

    /// The inbox's list.
    func list(_ filter: NotificationFilter, inbox: Int64) throws -> any ListReads

    /// Looks at `limit` inboxes behind one, and tells which have too many or too old notifications.
    /// - Parameters:
    ///   - time: before which the lowest notification of a list is too old; nil for never.
    ///   - maximumRows: 0 for any number.
    func crowded(
        after inbox: Int64, limit: Int, olderThan time: Timestamp?, maximumRows: Int64
    ) throws -> CrowdedInboxes
}

extension InboxReads {
    /// A row with its content; nil for a damaged one.
    func notification(_ row: NotificationRecord, of inbox: InboxRecord) throws -> Notification? {
        try notifications([row], of: inbox)[0]
    }
}
