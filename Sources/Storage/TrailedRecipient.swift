package import Inbox
package import Push

/// All that was decided about one person because of one event.
package struct TrailedRecipient: Sendable, Hashable {
    /// The notification as it stands now.
    package enum State: String, Sendable, Hashable {
        case unseen
        case seen
        case read
        /// It is no longer in the inbox.
        case gone
    }

    package struct Step: Sendable, Hashable {
        package let at: Timestamp
        package let step: TrailStep
        /// Nil for what is not about a device.
        package let provider: Device.Provider?
        /// The app's own id of the device.
        package let device: String?

        package init(at: Timestamp, step: TrailStep, provider: Device.Provider?, device: String?) {
            self.at = at
            self.step = step
            self.provider = provider
            self.device = device
        }
    }

    /// A push that waits for its time, or for an answer.
    package struct Waiting: Sendable, Hashable {
        package let provider: Device.Provider
        package let device: String
        package let due: Timestamp

        package init(provider: Device.Provider, device: String, due: Timestamp) {
            self.provider = provider
            self.device = device
            self.due = due
        }
    }

    /// Nil for somebody who has been erased.
    package let user: UserID?
    package let decision: TrailDecision
    /// The name of the notification type; nil where it did not come to that.
    package let type: String?
    /// Whether a session of theirs was open when the event was taken in.
    package let wasLive: Bool
    package let notification: NotificationID?
    /// Nil without a notification.
    package var state: State?
    /// In the order of time; of a batch also those that other events of it have led to.
    package var steps: [Step] = []
    package var waiting: [Waiting] = []

    package init(
        user: UserID?, decision: TrailDecision, type: String?, wasLive: Bool, notification: NotificationID?
    ) {
        self.user = user
        self.decision = decision
        self.type = type
        self.wasLive = wasLive
        self.notification = notification
    }
}
