import Inbox

/// What the writer remembers from one transaction to the next; forgotten as a whole when one is rolled back.
struct WriterMemory: Sendable {
    var inboxes: RecentCache<UserID, InboxRecord>
    var feeds: RecentCache<ExactText, FeedRecord>
    /// When hours of pushes, and events for many, are looked for again that are over.
    var nextSweep = Timestamp(milliseconds: 0)
    /// How far the trail has been looked through for what is to go.
    var trailSweep = TrailSweep.Progress()

    init(cachedInboxes: Int) {
        inboxes = RecentCache(capacity: cachedInboxes)
        feeds = RecentCache(capacity: 4_096)
    }
}
