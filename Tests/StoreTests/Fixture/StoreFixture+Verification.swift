import Foundation
import PostgresStore
import SQLiteStore
import Synchronization
import Testing

@testable import Verification

extension StoreFixture {
    /// Opens a closed store as `belfry verify` does, and closes it behind `body`.
    static func opened<Value>(
        _ folder: String, isForMending: Bool, _ body: (any VerifiedStore) throws -> Value
    ) throws -> Value {
        if Engine.current == .postgres {
            let store = try PostgresVerifiedStore(StoreServer.address(of: folder), isForMending: isForMending)
            defer { store.close() }
            return try body(store)
        }
        let store = try SQLiteVerifiedStore(folder: folder, isForMending: isForMending)
        defer { store.close() }
        return try body(store)
    }

    /// What a test did by the store's calls alone has to leave it sound. Stores in PostgreSQL take longer to check.
    func verify() {
        guard !isTampered.withLock({ $0 }), store is SQLiteStore, !store.isDamaged,
            FileManager.default.fileExists(atPath: folder + "/belfry.sqlite")
        else { return }
        let rules = VerificationRules(providers: providers)
        do {
            let report = try Self.opened(folder, isForMending: false) { try Verification(of: $0, rules).check() }
            #expect(report.findings == [], "belfry verify")
        } catch {
            Issue.record("belfry verify: \(error)")
        }
    }
}
