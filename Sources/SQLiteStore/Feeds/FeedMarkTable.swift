import Deliveries
import GRDB
import Store

/// How far people have viewed feeds.
final class FeedMarkTable: FeedMarkRows {
    private let upsert: Statement
    private let delete: Statement

    init(_ db: Database) throws {
        upsert = try db.statement(
            sql: """
                INSERT INTO feed_mark (inbox, feed, viewed) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET viewed = max(viewed, excluded.viewed) RETURNING viewed
                """)
        delete = try db.statement(sql: "DELETE FROM feed_mark WHERE inbox = ? RETURNING feed")
    }

    /// Moves a mark forward only, and returns where it is then.
    func mark(_ offset: Int64, feed: Int64, inbox: Int64) throws -> Int64 {
        guard let viewed = try upsert.first([inbox, feed, offset], { try $0.int(0) }) else {
            throw DamagedRow(table: "feed_mark")
        }
        return viewed
    }

    /// Removes a person's marks, and returns how many there were.
    func remove(inbox: Int64) throws -> Int { try delete.all([inbox]) { _ in true }.count }
}
