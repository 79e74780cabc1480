package import Inbox

/// A push under way: one message for one device, as the store hands it out. It may stand for several rows of the queue.
///
/// By reference, as it goes through many hands, and its message and device have dozens of parts.
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

    /// At least one; in the order of their ids.
    package let parts: [Part]
    package let user: UserID
    package let device: Device
    package let message: PushMessage
    package let attempt: PushAttempt

    package init(parts: [Part], user: UserID, device: Device, message: PushMessage, attempt: PushAttempt) {
        self.parts = parts
        self.user = user
        self.device = device
        self.message = message
        self.attempt = attempt
    }
}
