import Inbox

/// The rest of a notification that was read or removed.
package struct DroppedPush {
    package let notification: Int64
    /// Whether the push was accepted, or at least tried: an answer can be lost.
    package let mayBeShown: Bool
    /// The collapse id, where it is not the notification's own.
    package let collapse: String?
    /// The collapse id of an earlier push on the screen, where it is another one.
    package let shownAs: String?
    /// Nil if no push was accepted yet.
    package var mark: PushMark?

    package init(notification: Int64, mayBeShown: Bool, collapse: String?, shownAs: String?, mark: PushMark? = nil) {
        self.notification = notification
        self.mayBeShown = mayBeShown
        self.collapse = collapse
        self.shownAs = shownAs
        self.mark = mark
    }
}

extension DroppedPush {
    /// One whose push was accepted.
    package init(_ mark: PushMark) {
        self.init(
            notification: mark.notification, mayBeShown: true, collapse: mark.collapse, shownAs: nil, mark: mark)
    }
}
