import GRDB
import Inbox

/// Reads what operators and devices ask across all inboxes, as of the snapshot that `db` is in.
struct StatisticsReader {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// Reads every notification row: for a gauge once in a while.
    func statistics() throws -> StoreStatistics {
        let drift = """
            SELECT total(abs(inbox.unread - coalesce(rows.unread, 0))) FROM inbox LEFT JOIN (
                SELECT inbox, sum(is_read = 0) AS unread FROM notification GROUP BY inbox
            ) AS rows ON rows.inbox = inbox.id
            """
        return StoreStatistics(
            inboxes: try number("SELECT count(*) FROM inbox"),
            notifications: try number("SELECT count(*) FROM notification"),
            contents: try number("SELECT count(*) FROM content"),
            pushJobs: try number("SELECT count(*) FROM push_job"),
            unreadDrift: try number("SELECT CAST((\(drift)) AS INTEGER)"))
    }

    private func number(_ sql: String) throws -> Int64 {
        try db.cachedStatement(sql: sql).first([]) { try $0.int(0) } ?? 0
    }

    /// The user who registered this device last.
    func owner(ofDevice id: String) throws -> UserID? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT user FROM device JOIN inbox ON inbox.id = device.inbox
                WHERE device.id = ? ORDER BY registered_at DESC, row DESC LIMIT 1
                """)
        return try statement.first([id]) { UserID(rawValue: try $0.text(0)) } ?? nil
    }
}
