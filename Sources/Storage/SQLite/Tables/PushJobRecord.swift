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

/// One waiting row of `push_job` with everything that makes a push of it, read at one go.
struct PushJobRecord {
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
    /// Whether its owner has chosen anything.
    let hasSettings: Bool
    /// The row of the content and `rev`; nil for a badge push.
    let notification: (content: Int64, rev: Int64)?
    let user: UserID
    let state: InboxState
    let device: DeviceRecord

    static let query = """
        SELECT push_job.available_at, failures, expiry, fold_key, fold, collapse, withdrawn,
            notification.content, notification.rev,
            inbox.user, inbox.epoch, inbox.seq, inbox.unread, inbox.unseen, inbox.total,
            deadline, inbox.settings IS NOT NULL, \(DeviceRecord.columns)
        FROM push_job CROSS JOIN device ON device.row = push_job.device
            CROSS JOIN inbox ON inbox.id = device.inbox
            LEFT JOIN notification ON notification.inbox = device.inbox AND notification.id = push_job.notification
        WHERE push_job.device = ? AND push_job.notification = ? AND push_job.available_at IS NOT NULL
        """

    /// - Parameter row: of the ``query``.
    init(_ row: StoredRow) throws {
        guard let user = UserID(rawValue: try row.text(9)) else { throw DamagedRow(table: "inbox") }
        availableAt = Timestamp(milliseconds: try row.int(0))
        failures = Int(try row.int(1))
        expiry = Timestamp(milliseconds: try row.int(2))
        foldKey = try row.optionalText(3)
        fold = try row.optionalInt(4)
        collapse = try row.optionalText(5)
        withdrawn = PushJobTable.ids(try row.optionalText(6))
        let content = try row.optionalInt(7)
        notification = try content.map { (content: $0, rev: try row.int(8)) }
        self.user = user
        state = InboxState(
            epoch: try row.text(10), seq: try row.int(11), unread: try row.int(12), unseen: try row.int(13),
            total: try row.int(14))
        deadline = try row.optionalInt(15).map(Timestamp.init(milliseconds:))
        hasSettings = try row.bool(16)
        device = try DeviceRecord(row, from: 17)
    }
}
