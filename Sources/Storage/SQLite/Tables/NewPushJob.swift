import Inbox

/// A new row of `push_job`.
struct NewPushJob: Sendable {
    /// The row of the device.
    let device: Int64
    /// The notification's number within the inbox, or one of ``PushJobTable/badgePlaces``.
    let notification: Int64
    let due: Timestamp
    let expiry: Timestamp
    /// The row of what a new notification says, as long as it says that; nil where it tells when the push leaves.
    var content: Int64?
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
