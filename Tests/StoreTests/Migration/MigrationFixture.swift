import Foundation
import GRDB
import Migration
import Postgres
import PostgresStore
import SQLiteStore
import Support

/// A store in SQLite with a random history, a place in PostgreSQL for its copy, and a folder for the copy of that.
final class MigrationFixture: Sendable {
    let folder = NSTemporaryDirectory() + "belfry-migration-\(UUID().uuidString)"
    var copyFolder: String { folder + "-back" }
    let address: PostgresAddress

    init() throws { address = try StoreServer.address(of: folder) }

    /// Runs a test with a filled store, and clears up behind it.
    static func use(
        seed: UInt64, steps: Int = 200,
        _ body: @escaping @Sendable (MigrationFixture, StoreHistory) async throws -> Void
    ) async throws {
        try await StoreServer.places.use {
            let fixture = try MigrationFixture()
            do {
                var history = try await StoreHistory(
                    StoreFixture(folder: fixture.folder, yaml: StoreHistory.yaml, StoreHistory.configure), seed: seed)
                for _ in 0..<steps { try await history.step() }
                try await history.finish()
                try await body(fixture, history)
            } catch {
                fixture.remove()
                throw error
            }
            fixture.remove()
        }
    }

    private func remove() {
        // What stays behind in temporary places harms nobody.
        try? StoreServer.remove(folder)
        for path in [folder, copyFolder] { try? FileManager.default.removeItem(atPath: path) }
    }

    /// Opens both ends, and closes them behind `body`.
    func up<Value>(rowsPerBatch: Int = 7, isCopy: Bool = true, _ body: (StoreMigration) throws -> Value) throws -> Value
    {
        let source = try SQLiteEnd(folder: folder, isTarget: false)
        defer { source.close() }
        let target = try PostgresEnd(address, isTarget: isCopy)
        defer { target.close() }
        return try body(StoreMigration(from: source, to: target, rowsPerBatch: rowsPerBatch))
    }

    func back<Value>(rowsPerBatch: Int = 7, _ body: (StoreMigration) throws -> Value) throws -> Value {
        let source = try PostgresEnd(address, isTarget: false)
        defer { source.close() }
        let target = try SQLiteEnd(folder: copyFolder, isTarget: true)
        defer { target.close() }
        return try body(StoreMigration(from: source, to: target, rowsPerBatch: rowsPerBatch))
    }

    func query(_ sql: PostgresStatement) throws -> PostgresResult { try PostgresConnection(address).run(sql) }

    /// All rows of a folder's tables, but for those that a migration does not copy.
    static func dump(_ folder: String) throws -> [String: [String]] {
        let database = try DatabaseQueue(path: folder + "/belfry.sqlite")
        return try database.read { db in
            var dump: [String: [String]] = [:]
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            for table in tables where !["read_span", "clock", "grdb_migrations", "inbox_floor"].contains(table) {
                // With what stands behind a U+0000.
                let columns = try String.fetchAll(
                    db, sql: "SELECT name FROM pragma_table_info(?) ORDER BY name", arguments: [table])
                let texts = columns.map { "'\($0) ' || typeof(\"\($0)\") || ' ' || hex(CAST(\"\($0)\" AS BLOB))" }
                dump[table] = try String.fetchAll(
                    db, sql: "SELECT \(texts.joined(separator: " || ', ' || ")) FROM \"\(table)\""
                ).sorted()
            }
            return dump
        }
    }
}
