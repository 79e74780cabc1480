package import Inbox

/// Notifications that are pushed and stand in no inbox.
package protocol PushOnlyRows: AnyObject {
    /// The notification that an event with this batch key may still grow.
    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord?
    /// The inbox's highest push-only number.
    func newest(inbox: Int64) throws -> Int64?
    /// The oldest rows of all inboxes that were stored before `time`.
    func stored(before time: Timestamp, limit: Int) throws -> [(inbox: Int64, id: Int64, content: Int64)]

    func insert(_ notification: NewNotification) throws
    func closeBatch(inbox: Int64, id: Int64) throws
    /// Lets the notification age from now on.
    func renew(inbox: Int64, id: Int64, at now: Timestamp) throws
    func delete(inbox: Int64, id: Int64) throws
}
