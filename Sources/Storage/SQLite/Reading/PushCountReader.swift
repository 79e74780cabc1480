import GRDB
import Push

/// Counts the pushes that wait, of each provider, from the queue itself.
struct PushCountReader {
    private let count: Statement

    init(_ db: Database) throws {
        count = try db.cachedStatement(
            sql: "SELECT count(*) FROM push_job WHERE place BETWEEN ? AND ?")
    }

    /// Reads the whole queue.
    func counts() throws -> PushCounts {
        var counts = PushCounts()
        for provider in Device.Provider.allCases {
            let all = QueuePlace.all(of: provider)
            counts[provider] =
                try count.first([all.lowerBound.rawValue, all.upperBound.rawValue]) { try $0.int(0) } ?? 0
        }
        return counts
    }
}
