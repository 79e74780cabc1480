package import Inbox
package import Store

/// State that the writer keeps from one transaction to the next; a rollback forgets all of it.
package struct WriterMemory: Sendable {
    /// How many devices are remembered, at a few hundred bytes each.
    private static let devicesKept = 20_000

    package var inboxes: RecentCache<UserID, InboxRecord>
    package var feeds: RecentCache<ExactText, FeedRecord>
    /// By row number. Nobody else may change a device meanwhile.
    package var devices = RecentCache<Int64, KnownDevice>(capacity: Self.devicesKept)
    /// When to look again for push hours and broadcasts that are over.
    package var nextSweep = Timestamp(milliseconds: 0)
    /// How far the trail has been searched for old decisions.
    package var trailSweep = SweepProgress()

    package init(cachedInboxes: Int) {
        inboxes = RecentCache(capacity: cachedInboxes)
        feeds = RecentCache(capacity: 4_096)
    }
}
