import GRDB

/// How far people have looked at feeds.
struct FeedMarkTable {
    private let upsert: Statement
    private let delete: Statement

    init(_ db: Database) throws {
        upsert = try db.cachedStatement(
            sql: """
                INSERT INTO feed_mark (inbox, feed, viewed) VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET viewed = max(viewed, excluded.viewed) RETURNING viewed
                """)
        delete = try db.cachedStatement(sql: "DELETE FROM feed_mark WHERE inbox = ? RETURNING feed")
    }

    /// Moves a mark forward; returns where it is then.
    func mark(_ offset: Int64, feed: Int64, inbox: Int64) throws -> Int64 {
        guard let viewed = try upsert.first([inbox, feed, offset], { try $0.int(0) }) else {
            throw DamagedRow(table: "feed_mark")
        }
        return viewed
    }

    /// Forgets a person's marks; returns how many they were.
    func remove(inbox: Int64) throws -> Int { try delete.all([inbox]) { try $0.int(0) }.count }
}
