import Inbox
import Push

/// What lets a later push replace an earlier one on a device: see ``PushMessage/collapseID``.
enum CollapseID {
    /// Of all pushes that only set the badge: the newest number is the only one of interest.
    static let badge = "badge"

    /// Of a fold where it must not have its first notification's own id. No other has it: that one is in another fold
    /// only after it has grown, and ids have no `_`.
    static func fold(of first: NotificationID, rev: Int64) -> String { "\(first.text)_\(String(rev, radix: 36))" }

    /// Of a push that leaves a fold which is on the screen under the notification's own id. No other has it.
    /// - Parameter seq: of the change by which it leaves.
    static func besideFold(of notification: NotificationID, at seq: Int64) -> String {
        "\(notification.text)__\(String(seq, radix: 36))"
    }

    /// Of a push that its publisher's word replaces; nil for the notification's own.
    static func other(_ shared: SharedPushContent?) -> String? {
        // Nearly none has a key, and asking the content would copy it.
        guard let shared, shared.content.replaceKey != nil else { return nil }
        return shared.content.replacementID
    }
}
