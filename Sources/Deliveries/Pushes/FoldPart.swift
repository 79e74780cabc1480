package import Inbox

/// One job of a fold.
package struct FoldPart {
    package let notification: Int64
    package let position: QueuePlace
    package let expiry: Timestamp
    package let failures: Int
    /// The collapse id with which it leaves; nil for the notification's own.
    package let collapse: String?
    /// As in ``PushJobRow``.
    package let isShown: Bool
    package let shownAs: String?

    /// The collapse id under which an earlier push of it is on the screen; nil if there is none.
    /// - Parameter inbox: the notification's.
    package func place(inbox: Int64) -> String? { isShown ? shownAs ?? leavesAs(inbox: inbox) : nil }

    /// The collapse id with which it leaves alone.
    package func leavesAs(inbox: Int64) -> String {
        collapse ?? NotificationID(inbox: inbox, sequence: notification).text
    }

    package init(
        notification: Int64, position: QueuePlace, expiry: Timestamp, failures: Int, collapse: String?, isShown: Bool,
        shownAs: String?
    ) {
        self.notification = notification
        self.position = position
        self.expiry = expiry
        self.failures = failures
        self.collapse = collapse
        self.isShown = isShown
        self.shownAs = shownAs
    }
}
