import GRDB

/// Reads how far events have come that reach their people page by page, as of the snapshot that `db` is in.
struct BroadcastReader {
    private let db: Database

    init(_ db: Database) { self.db = db }

    /// The events that have not reached everybody, the oldest first.
    func open() throws -> [String] {
        try db.cachedStatement(sql: "SELECT event FROM broadcast WHERE ended_at IS NULL ORDER BY id").all([]) {
            try $0.text(0)
        }
    }

    func broadcast(of event: String) throws -> Broadcast? {
        let statement = try db.cachedStatement(sql: "SELECT \(BroadcastRecord.columns) FROM broadcast WHERE event = ?")
        return try statement.first([event]) { BroadcastRecord($0).broadcast }
    }
}
