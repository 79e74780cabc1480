package import Inbox

/// A notification whose row is still to be written.
package struct NewNotification {
    package let record: NotificationRecord
    /// The time by which it ages, whenever the event says that it happened.
    package let storedAt: Timestamp
    package let inbox: Int64
    package let batchKey: String?
    package let marks: ContentMarks

    package init(
        record: NotificationRecord, storedAt: Timestamp, inbox: Int64, batchKey: String?, marks: ContentMarks
    ) {
        self.record = record
        self.storedAt = storedAt
        self.inbox = inbox
        self.batchKey = batchKey
        self.marks = marks
    }
}
