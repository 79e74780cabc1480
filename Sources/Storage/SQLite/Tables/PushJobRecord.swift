import Inbox

/// A waiting job with everything that makes a push of it.
///
/// By reference: it has more parts than it is worth counting from one hand to the next.
final class PushJobRecord {
    let row: PushJobRow
    /// The row of the content and `rev`; nil until they are found, for a badge push, and for a notification that is
    /// gone.
    var notification: (content: Int64, rev: Int64)?
    let device: KnownDevice
    /// Of the device's owner, as this transaction has left it.
    let inbox: InboxRecord

    init(_ row: PushJobRow, _ device: KnownDevice, _ inbox: InboxRecord) {
        (self.row, self.device, self.inbox) = (row, device, inbox)
        notification = row.newContent.map { (content: $0, rev: 1) }
    }

    var place: PushTurns.Place { row.place }
}
