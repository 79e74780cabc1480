package import Inbox
package import Push

/// A decision about a notification whose steps are traced, as the trail has it.
package struct TracedStep: Sendable {
    package enum Kind: Sendable {
        /// The event made the notification, or added to it. The type is nil where no route names one.
        case decided(TrailDecision, event: String, type: String?, isLive: Bool)
        /// The provider is nil where the step is not about a device's push.
        case stepped(TrailStep, Device.Provider?)
    }

    package let notification: NotificationID
    package let kind: Kind
    /// When it began; nil for a later page of an event, which began earlier.
    package let at: Timestamp?

    package init(_ kind: Kind, of notification: NotificationID, at: Timestamp?) {
        (self.kind, self.notification, self.at) = (kind, notification, at)
    }
}
