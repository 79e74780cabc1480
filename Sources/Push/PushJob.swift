package import Inbox

/// A push under way: one message for one device, as the store hands it out. It may stand for several rows of the queue.
///
/// By reference, as it goes through many hands, and its message has dozens of parts.
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
    /// Mostly none: nearly all jobs stand for one row, which then lies in the job itself.
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

    /// Of its first part: the lease's.
    package var lease: Int64 { first.id }
    /// At least one; in the order of their ids.
    package var parts: [Part] { [first] + others }
    package var user: UserID { target.user }
    package var device: Device { target.device }
}
