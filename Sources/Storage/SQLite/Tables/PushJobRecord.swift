import GRDB
import Inbox

/// A new row of `push_job`.
struct NewPushJob: Sendable {
    /// The row of the device.
    let device: Int64
    /// The notification's number within the inbox, or one of ``PushJobTable/badgePlaces``.
    let notification: Int64
    let due: Timestamp
    let expiry: Timestamp
    /// Whether an acknowledgement cancels it.
    var isFallback = false
    /// What jobs have in common that leave as one when they are due together; nil for one that leaves alone.
    var foldKey: String?
    /// Its collapse id, where that is not its notification's own; what it says may grow, and this must not change.
    var collapse: String?
    /// Whose acknowledgement cancels it, where that is not the notification's own number.
    var seq: Int64?
    /// The publisher's word: after this it is worth nothing.
    var deadline: Timestamp?
    /// When it would leave that is kept back; nil for one that is not.
    var heldFrom: Timestamp?
    /// Only with badge pushes.
    var withdrawn: [String] = []
}

/// One waiting row of `push_job` with everything that makes a push of it.
///
/// By reference: it has more parts than it is worth counting from one hand to the next.
final class PushJobRecord {
    let place: PushTurns.Place
    let availableAt: Timestamp
    let failures: Int
    let expiry: Timestamp
    let foldKey: String?
    /// The first notification of the fold that it was handed out in.
    let fold: Int64?
    /// Its collapse id, where that is not its notification's own.
    let collapse: String?
    let withdrawn: [String]
    /// The publisher's word: after this it is worth nothing.
    let deadline: Timestamp?
    /// Whether an earlier push of the notification is on the screen.
    let isShown: Bool
    /// The collapse id under which it is, where that is not the one with which this one leaves.
    let shownAs: String?
    /// The row of the content and `rev`; nil for a badge push.
    let notification: (content: Int64, rev: Int64)?
    let device: KnownDevice
    /// Of the device's owner.
    let inbox: InboxRecord

    /// What is read of `push_job` and `notification`.
    static let select = """
        available_at, failures, expiry, fold_key, fold, collapse, withdrawn, deadline, is_shown, shown_as, content, rev
        """
    /// How many columns that are.
    static let columns = 12

    /// - Parameter row: begins with what ``select`` names.
    init(_ row: StoredRow, at place: PushTurns.Place, _ device: KnownDevice, _ inbox: InboxRecord) throws {
        self.place = place
        self.device = device
        self.inbox = inbox
        availableAt = Timestamp(milliseconds: try row.int(0))
        failures = Int(try row.int(1))
        expiry = Timestamp(milliseconds: try row.int(2))
        foldKey = try row.optionalText(3)
        fold = try row.optionalInt(4)
        collapse = try row.optionalText(5)
        withdrawn = PushJobTable.ids(try row.optionalText(6))
        deadline = try row.optionalInt(7).map(Timestamp.init(milliseconds:))
        isShown = try row.bool(8)
        shownAs = try row.optionalText(9)
        let content = try row.optionalInt(10)
        notification = try content.map { (content: $0, rev: try row.int(11)) }
    }
}
