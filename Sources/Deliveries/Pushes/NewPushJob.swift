package import Inbox
import Store

/// A new row of `push_job`.
package struct NewPushJob: Sendable {
    /// The device's row number.
    package let device: Int64
    /// The notification's number within the inbox, or one of ``PushJobNumber/badgePlaces``.
    package let notification: Int64
    package private(set) var due: Timestamp
    package private(set) var expiry: Timestamp
    /// The row of a new notification's content until that changes; then nil, and the leaving push asks the
    /// notification.
    package var content: Int64?
    /// Whether an acknowledgement cancels it.
    package var isFallback = false
    /// The key of jobs that leave as one when they are due together; nil for a job that leaves alone.
    package var foldKey: String?
    /// The collapse id, where it is not the notification's own. Kept here, as a growing content must not change it.
    package var collapse: String?
    /// Its acknowledgement cancels the job; nil for the notification's own number.
    package var seq: Int64?
    /// The publisher's end: the push is worth nothing after it.
    package var deadline: Timestamp?
    /// When a held job would have left; nil for a job that is not held.
    package var heldFrom: Timestamp?
    /// Of badge pushes only: the collapse ids to withdraw.
    package var withdrawn: [String] = []

    /// Whether an acknowledgement up to `seq` cancels it.
    package func isCovered(upTo seq: Int64) -> Bool { isFallback && (self.seq ?? notification) <= seq }

    /// The job once the clock was set.
    func moved(along jump: ClockJump, grace: Duration) -> Self {
        var job = self
        (job.due, job.expiry) = jump.times(
            due: due, expiry: expiry, deadline: deadline, isDated: heldFrom != nil, isFallback: isFallback, grace: grace
        )
        return job
    }

    package init(
        device: Int64, notification: Int64, due: Timestamp, expiry: Timestamp, content: Int64? = nil,
        isFallback: Bool = false, foldKey: String? = nil, collapse: String? = nil, seq: Int64? = nil,
        deadline: Timestamp? = nil, heldFrom: Timestamp? = nil, withdrawn: [String] = []
    ) {
        self.device = device
        self.notification = notification
        self.due = due
        self.expiry = expiry
        self.content = content
        self.isFallback = isFallback
        self.foldKey = foldKey
        self.collapse = collapse
        self.seq = seq
        self.deadline = deadline
        self.heldFrom = heldFrom
        self.withdrawn = withdrawn
    }
}
