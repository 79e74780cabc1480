package import Inbox
package import Push

/// A device as the writer remembers it from one push to the next.
package struct KnownDevice: Sendable {
    package let row: Int64
    package let inbox: Int64
    package let target: PushTarget
    /// As in ``DeviceRecord``.
    package var badge: DeviceRecord.Badge?

    package var user: UserID { target.user }
    package var device: Device { target.device }

    package init(row: Int64, inbox: Int64, target: PushTarget, badge: DeviceRecord.Badge? = nil) {
        (self.row, self.inbox, self.target, self.badge) = (row, inbox, target, badge)
    }
}
