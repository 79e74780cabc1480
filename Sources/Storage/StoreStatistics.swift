package import Push

/// What an operator asks of a store.
package struct StoreStatistics: Sendable, Hashable {
    package var inboxes: Int64
    package var notifications: Int64
    /// What notifications say; a fan-out has one however many people it reached.
    package var contents: Int64
    /// How many pushes wait.
    package var pushJobs: Int64
    /// The sum over inboxes of |unread − unread rows|; anything but 0 is a defect.
    package var unreadDrift: Int64

    package var pushJobsByProvider: [Device.Provider: Int64]
    package var devices: Int64

    package init(
        inboxes: Int64, notifications: Int64, contents: Int64, pushJobs: Int64, unreadDrift: Int64,
        pushJobsByProvider: [Device.Provider: Int64] = [:], devices: Int64 = 0
    ) {
        self.inboxes = inboxes
        self.notifications = notifications
        self.contents = contents
        self.pushJobs = pushJobs
        self.unreadDrift = unreadDrift
        self.pushJobsByProvider = pushJobsByProvider
        self.devices = devices
    }
}
