import GRDB
import Push

/// Reads what operators ask across all inboxes, as of the snapshot that `db` is in.
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
        let waiting = try waitingPushJobs()
        return StoreStatistics(
            inboxes: try number("SELECT count(*) FROM inbox"),
            notifications: try number("SELECT count(*) FROM notification"),
            contents: try number("SELECT count(*) FROM content"),
            pushJobs: waiting.values.reduce(0, +),
            unreadDrift: try number("SELECT CAST((\(drift)) AS INTEGER)"),
            pushJobsByProvider: waiting, devices: try number("SELECT count(*) FROM device"))
    }

    private func waitingPushJobs() throws -> [Device.Provider: Int64] {
        let statement = try db.cachedStatement(
            sql: "SELECT count(*) FROM push_job WHERE provider = ? AND available_at IS NOT NULL")
        var counts: [Device.Provider: Int64] = [:]
        for provider in Device.Provider.allCases {
            counts[provider] = try statement.first([provider.rawValue]) { try $0.int(0) }
        }
        return counts
    }

    private func number(_ sql: String) throws -> Int64 {
        try db.cachedStatement(sql: sql).first([]) { try $0.int(0) } ?? 0
    }
}
