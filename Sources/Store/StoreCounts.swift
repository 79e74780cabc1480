package import Inbox

/// The result of counting a store's rows in steps. After many writes meanwhile it is exact for no single moment.
package struct StoreCounts: Sendable, Hashable {
    /// When the count began: rows from before that are counted if they are still there.
    package let began: Timestamp
    package var inboxes: Int64 = 0
    package var notifications: Int64 = 0
    package var devices: Int64 = 0
    /// The sum over inboxes of |unread − unread rows|, each as of one moment; anything but 0 is a defect.
    package var unreadDrift: Int64 = 0

    package init(began: Timestamp) { self.began = began }
}
