import Inbox

/// What the writer remembers from one transaction to the next; forgotten as a whole when one is rolled back.
struct WriterMemory: Sendable {
    var inboxes: RecentCache<UserID, InboxRecord>
    var feeds: RecentCache<ExactText, FeedRecord>
    /// When expired idempotency keys are looked for again.
    var nextSweep = Timestamp(milliseconds: 0)

    init(cachedInboxes: Int) {
        inboxes = RecentCache(capacity: cachedInboxes)
        feeds = RecentCache(capacity: 4_096)
    }
}
