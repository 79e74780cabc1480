package import Inbox
package import Push

/// All decisions about one person because of one event.
package struct TrailedRecipient: Sendable, Hashable {
    /// The current state of the notification.
    package enum State: String, Sendable, Hashable {
        case unseen
        case seen
        case read
        /// The notification is no longer in the inbox.
        case gone
    }

    package struct Step: Sendable, Hashable {
        package let at: Timestamp
        package let step: TrailStep
        /// Nil for a step that concerns no device.
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

    /// Nil for an erased person.
    package let user: UserID?
    package let decision: TrailDecision
    /// The name of the notification type; nil if no type was found.
    package let type: String?
    /// Whether the person had an open session when the event was taken in.
    package let wasLive: Bool
    package let notification: NotificationID?
    /// Nil without a notification.
    package var state: State?
    /// In the order of time; for a batch, including steps because of its other events.
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
