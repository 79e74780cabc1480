import Inbox
import Push

/// What lets a later push replace an earlier one on a device: see ``PushMessage/collapseID``.
enum CollapseID {
    /// Of all pushes that only set the badge: the newest number is the only one of interest.
    static let badge = "badge"

    static func text(of notification: NotificationID, _ content: PushContent?) -> String {
        content?.replacementID ?? notification.text
    }
}
