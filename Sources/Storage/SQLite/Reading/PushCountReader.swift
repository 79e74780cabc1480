import GRDB
import Push

/// Counts the pushes that wait, of each provider, from the queue's own index.
struct PushCountReader {
    private let count: Statement

    init(_ db: Database) throws {
        count = try db.cachedStatement(
            sql: "SELECT count(*) FROM push_job WHERE provider = ? AND available_at IS NOT NULL")
    }

    /// Reads the whole queue.
    func counts() throws -> PushCounts {
        var counts = PushCounts()
        for provider in Device.Provider.allCases {
            counts[provider] = try count.first([provider.rawValue]) { try $0.int(0) } ?? 0
        }
        return counts
    }
}
