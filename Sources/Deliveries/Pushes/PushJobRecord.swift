import Inbox

/// A waiting job with everything that its push needs.
///
/// A class: copies of a struct would count references to each of its many parts.
package final class PushJobRecord {
    package let row: PushJobRow
    /// The content's row and `rev`. Nil until they are found, for a badge push, and for a missing notification.
    package var notification: (content: Int64, rev: Int64)?
    package let device: KnownDevice
    /// The owner's inbox as this transaction has left it.
    package let inbox: InboxRecord

    package init(_ row: PushJobRow, _ device: KnownDevice, _ inbox: InboxRecord) {
        (self.row, self.device, self.inbox) = (row, device, inbox)
        notification = row.newContent.map { (content: $0, rev: 1) }
    }

    package var place: PushTurns.Place { row.place }
}
