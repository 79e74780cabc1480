/// One step of one inbox, as the change log keeps it and sessions hear of it.
package struct InboxChange: Sendable {
    package enum Kind: Sendable {
        /// A notification that was not there before.
        case new(Notification)
        /// It grew, or its live fields changed.
        case update(Notification)
        case read(Selection)
        case seen(upTo: Int64)
        case removed(Selection)
    }

    /// Which notifications a change is about, in the words in which it was asked for.
    package enum Selection: Sendable, Hashable {
        case ids([NotificationID])
        /// All whose content last changed at or before this `seq`: what arrived meanwhile stays as it is.
        case upTo(Int64)
    }

    package let stamp: ChangeStamp
    package let kind: Kind

    package init(stamp: ChangeStamp, kind: Kind) {
        self.stamp = stamp
        self.kind = kind
    }
}
