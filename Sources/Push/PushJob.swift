package import Inbox

/// A push under way: one message for one device, taken from the store. It may stand for several rows of the queue.
///
/// A class, because it is passed on many times, and its message has dozens of parts.
package final class PushJob: Sendable {
    /// One row of the queue.
    package struct Part: Sendable, Hashable {
        package let id: Int64
        /// Nil for a row that only sets the badge.
        package let notification: NotificationID?

        package init(id: Int64, notification: NotificationID?) {
            self.id = id
            self.notification = notification
        }
    }

    private let first: Part
    /// Mostly empty: nearly all jobs stand for one row.
    private let others: [Part]
    package let target: PushTarget
    package let message: PushMessage
    package let attempt: PushAttempt

    /// - Parameters:
    ///   - first: the part with the lowest id.
    ///   - others: in the order of their ids.
    package init(
        _ first: Part, and others: [Part] = [], to target: PushTarget, message: PushMessage, attempt: PushAttempt
    ) {
        self.first = first
        self.others = others
        self.target = target
        self.message = message
        self.attempt = attempt
    }

    /// The id of the lease, which is that of the first part.
    package var lease: Int64 { first.id }
    /// At least one; in the order of their ids.
    package var parts: [Part] { [first] + others }
    package var user: UserID { target.user }
    package var device: Device { target.device }
}
