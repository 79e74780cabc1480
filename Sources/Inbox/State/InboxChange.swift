/// One step of one inbox, for the change log and for sessions.
package struct InboxChange: Sendable {
    package enum Kind: Sendable {
        /// A new notification.
        case new(Notification)
        /// The notification grew, or its live fields changed.
        case update(Notification)
        case read(Selection)
        case seen(upTo: Int64)
        case removed(Selection)
    }

    /// The notifications that a change is about, in the words of the request.
    package enum Selection: Sendable, Hashable {
        case ids([NotificationID])
        /// All notifications whose content last changed at or before this `seq`; later ones stay as they are.
        case upTo(Int64)
    }

    package let stamp: ChangeStamp
    package let kind: Kind

    package init(stamp: ChangeStamp, kind: Kind) {
        self.stamp = stamp
        self.kind = kind
    }
}
