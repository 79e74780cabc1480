import GRDB
import Push

/// Counts the pushes that wait, of each provider, from the queue's own index.
struct PushCountReader {
    private let count: Statement

    init(_ db: Database) throws {
        count = try db.cachedStatement(
            sql: """
                SELECT count(*) FROM
                    (SELECT 1 FROM push_job WHERE provider = ? AND available_at IS NOT NULL LIMIT ?)
                """)
    }

    /// - Parameter limit: nobody counts further than this.
    func counts(limit: Int64) throws -> [Device.Provider: Int64] {
        var counts: [Device.Provider: Int64] = [:]
        for provider in Device.Provider.allCases {
            counts[provider] = try count.first([provider.rawValue, limit]) { try $0.int(0) } ?? 0
        }
        return counts
    }
}
