import Inbox

/// Erased inboxes, whose rows go a step at a time.
package protocol ErasureRows: AnyObject {
    /// The lowest inbox whose rows are to go; nil without any.
    func first() throws -> Int64?
    /// Some notifications of an inbox, push-only ones included.
    func notifications(inbox: Int64, limit: Int) throws -> [NotificationRecord]
    /// How many notifications show a content; 0 for a missing one.
    func uses(ofContent id: Int64) throws -> Int64

    /// The inbox's rows are to go.
    func insert(inbox: Int64) throws
    func deletePaces(inbox: Int64) throws
    func delete(_ rows: [NotificationRecord], inbox: Int64) throws
    /// Returns how many changes it removed.
    func deleteChanges(inbox: Int64, limit: Int) throws -> Int
    /// The last row of the inbox is gone.
    func delete(inbox: Int64) throws
}
