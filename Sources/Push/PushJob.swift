package import Inbox

/// A push under way: one notification for one device, as the store hands it out.
package struct PushJob: Sendable {
    package let id: Int64
    package let user: UserID
    package let notification: NotificationID
    package let rev: Int64
    package let content: PushContent
    package let device: Device
    /// The badge number by the content's rule, of the inbox as it was when the job was handed out.
    package let badge: Int64
    package let attempt: PushAttempt

    package init(
        id: Int64, user: UserID, notification: NotificationID, rev: Int64, content: PushContent, device: Device,
        badge: Int64, attempt: PushAttempt
    ) {
        self.id = id
        self.user = user
        self.notification = notification
        self.rev = rev
        self.content = content
        self.device = device
        self.badge = badge
        self.attempt = attempt
    }
}
