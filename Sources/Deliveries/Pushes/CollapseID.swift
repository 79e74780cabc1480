package import Inbox
import Push

/// Lets a later push replace an earlier one on a device: see ``PushMessage/collapseID``.
package enum CollapseID {
    /// The id of all pushes that only set the badge: only the newest number matters.
    package static let badge = "badge"

    /// The id of a fold that must not have its first notification's own id. No other push has it: the first
    /// notification joins another fold only after it has grown, and ids have no `_`.
    package static func fold(of first: NotificationID, rev: Int64) -> String {
        "\(first.text)_\(String(rev, radix: 36))"
    }

    /// The id of a push that leaves a fold, which is on the screen under the notification's own id. It is unique.
    /// - Parameter seq: of the change by which it leaves.
    package static func besideFold(of notification: NotificationID, at seq: Int64) -> String {
        "\(notification.text)__\(String(seq, radix: 36))"
    }

    /// The id of a push that a publisher's key replaces; nil for the notification's own id.
    package static func other(_ shared: SharedPushContent?) -> String? {
        // Hardly any push has a key, and asking the content would copy it.
        guard let shared, shared.content.replaceKey != nil else { return nil }
        return shared.content.replacementID
    }
}
