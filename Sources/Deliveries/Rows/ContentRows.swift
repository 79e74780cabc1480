package import Inbox

/// Contents, and notifications that have just come. An engine may write these rows later, together with others.
package protocol ContentRows: AnyObject {
    /// A content that is stored, or new in this transaction; ``Content/unreadable`` for one that is damaged.
    func content(_ id: Int64) throws -> Content
    /// The event that a content was rendered for; nil where it cannot be read, or is gone.
    func source(ofContent id: Int64) throws -> ContentSource?
    /// The unread notification that an event with this batch key may still grow.
    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord?

    /// Adds a content that no notification shows yet, and returns its row number.
    /// - Parameter actor: whose deed it tells of.
    func insert(_ content: Content, event: String, actor: String?) throws -> Int64
    /// Adds a notification, which counts as a use of its content.
    func add(_ notification: NewNotification) throws
    /// Changes the number of notifications that show a content, besides those that are added. An unused content goes.
    func addUses(_ number: Int64, ofContent id: Int64)
    /// The highest of the list that are of a type and tell of this person's deeds, the highest first.
    /// - Parameter window: so many of the highest are looked at, of whatever type.
    func highest(
        _ limit: Int, of type: String, by actor: String, inbox: Int64, window: Int
    ) throws -> [NotificationRecord]
}
