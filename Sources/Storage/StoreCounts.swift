package import Inbox

/// What was found by counting a store's rows, in steps: no moment's truth where much was written meanwhile.
package struct StoreCounts: Sendable, Hashable {
    /// When the count began: what was in the store then, and is there still, is counted.
    package let began: Timestamp
    package var inboxes: Int64 = 0
    package var notifications: Int64 = 0
    package var devices: Int64 = 0
    /// The sum over inboxes of |unread − unread rows|, each as of one moment; anything but 0 is a defect.
    package var unreadDrift: Int64 = 0

    package init(began: Timestamp) { self.began = began }
}
