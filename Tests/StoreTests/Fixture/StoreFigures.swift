import GRDB
import Inbox
import PostgresStore
import Push
import ReferenceStore
import Testing

@testable import SQLiteStore
@testable import Store

/// All that can be counted in a store; what was counted when makes no difference between two of them.
struct StoreFigures: Hashable {
    var inboxes: Int64
    var notifications: Int64
    /// The texts of notifications; a fan-out has one however many people it reached.
    var contents: Int64
    var devices: Int64
    var unreadDrift: Int64
    var pushJobsByProvider: [Device.Provider: Int64]

    var pushJobs: Int64 { pushJobsByProvider.values.reduce(0, +) }
}

extension StoreFixture {
    func statistics() async throws -> StoreFigures {
        let told = try await store.told()
        let counts = try #require(told.counts)
        return StoreFigures(
            inboxes: counts.inboxes, notifications: counts.notifications, contents: try await contents(),
            devices: counts.devices, unreadDrift: counts.unreadDrift, pushJobsByProvider: told.pushJobsByProvider)
    }

    private func contents() async throws -> Int64 {
        if let store = store as? MemoryStore { return Int64(store.database.state.contents.count) }
        if store is PostgresStore { return try StoreServer.contents(of: folder) }
        return try await withCheckedThrowingContinuation { waiting in
            sqlite.readDatabase({ waiting.resume(with: $0) }) {
                try Int64.fetchOne($0, sql: "SELECT count(*) FROM content") ?? 0
            }
        }
    }
}

extension Store {
    /// The statistics that an asker hears at this moment.
    func told(at now: Timestamp = .at(0)) async throws -> StoreStatistics {
        try await withCheckedThrowingContinuation { waiting in statistics(at: now) { waiting.resume(with: $0) } }
    }
}
