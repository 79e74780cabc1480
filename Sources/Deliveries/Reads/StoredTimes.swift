package import Inbox

/// What a notification's row tells about when its events came.
package struct StoredTimes {
    /// When it was stored, or came up again.
    package let storedAt: Timestamp
    package let createdAt: Timestamp
    package let rev: Int64
    /// Whether it has come up again.
    package let isRaised: Bool

    package init(storedAt: Timestamp, createdAt: Timestamp, rev: Int64, isRaised: Bool) {
        (self.storedAt, self.createdAt, self.rev, self.isRaised) = (storedAt, createdAt, rev, isRaised)
    }
}
