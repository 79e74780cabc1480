import Inbox
import Push

/// What lets a later push replace an earlier one on a device: see ``PushMessage/collapseID``.
enum CollapseID {
    /// Of all pushes that only set the badge: the newest number is the only one of interest.
    static let badge = "badge"

    /// Of a push that leaves a fold which is on the screen under the notification's own id. No other has it: ids end with a
    /// digit or a letter.
    static func besideFold(of notification: NotificationID) -> String { notification.text + "_" }

    /// Of a push that its publisher's word replaces; nil for the notification's own.
    static func other(_ shared: SharedPushContent?) -> String? {
        // Nearly none has a key, and asking the content would copy it.
        guard let shared, shared.content.replaceKey != nil else { return nil }
        return shared.content.replacementID
    }
}
