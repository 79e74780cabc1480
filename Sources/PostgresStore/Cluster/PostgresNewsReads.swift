import Cluster
import Deliveries
import Inbox
import Postgres
import Store

/// What a search for news reads.
struct PostgresNewsReads: NewsReads {
    let rows: PostgresRows

    func heads(of subjects: [NewsSubject]) throws -> [NewsHead] {
        try HeadTable.heads(of: subjects, on: rows.connection)
    }

    func inboxes(after places: [UserID: Int64]) throws -> any InboxReads {
        try PostgresMissedReads(PostgresInboxReads(rows), after: places)
    }

    func told(
        of feed: String, epoch: String?, after offset: Int64, limit: Int
    ) throws -> (items: [Commit.FeedDelivery], end: Int64)? {
        try PostgresFeedReads(rows).told(of: feed, epoch: epoch, after: offset, limit: limit)
    }
}
