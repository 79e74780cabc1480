package import Cluster
package import Deliveries
package import Inbox
package import Store
import Synchronization

/// What a search for news reads in memory.
package struct MemoryNewsReads: NewsReads {
    let rows: MemoryRows

    package func heads(of subjects: [NewsSubject]) -> [NewsHead] {
        subjects.map { subject in
            switch subject {
            case .inbox(let user):
                let state = MemoryInboxes(rows).record(of: user)?.state
                return NewsHead(subject: subject, epoch: state?.epoch, number: state?.seq ?? 0)
            case .feed(let name):
                let feed = rows.state.feeds[name]
                let last = max(feed?.items.keys.max() ?? 0, feed?.changes.keys.max() ?? 0)
                return NewsHead(subject: subject, epoch: feed?.epoch, number: last)
            }
        }
    }

    package func inboxes(after places: [UserID: Int64]) -> any InboxReads { MemoryInboxes(rows) }

    /// Feeds of a store in memory begin anew where something is missing.
    package func told(
        of feed: String, epoch: String?, after offset: Int64, limit: Int
    ) -> (items: [Commit.FeedDelivery], end: Int64)? { nil }
}

extension MemoryDatabase {
    /// Has `body` read as of one moment.
    package func readNews<Value: Sendable>(_ body: @Sendable (any NewsReads) throws -> Value) rethrows -> Value {
        try content.withLock { try body(MemoryNewsReads(rows: $0.rows)) }
    }
}
