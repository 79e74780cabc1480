import Deliveries
import GRDB
import Store

@testable import SQLiteStore

/// Runs transactions on SQLite's tables, one after the other, on one connection.
final class SQLiteWriter {
    private let db: Database
    private let options: SQLiteStoreOptions
    private let contents = ContentCache(capacity: 8, lastID: 0)
    private let deviceRows = DeviceRowSearch()
    private let jobs = PushJobIndex()
    private var tables: WriterTables
    private var memory: WriterMemory
    private var turns = PushMemory()

    /// - Parameter db: outside of a transaction; has all tables.
    init(_ db: Database, options: SQLiteStoreOptions) throws {
        (self.db, self.options) = (db, options)
        memory = WriterMemory(cachedInboxes: options.cachedInboxes)
        tables = try WriterTables(
            db, options: options, contents: contents, deviceRows, jobs, DamageWatch(reportRow: Self.found))
    }

    private static let found: @Sendable (DamagedRow) -> Void = { row in
        preconditionFailure("\(row.table) \(row.key) does not hold what was written")
    }

    /// As ``MemoryWriter/commit(_:)``.
    func commit<Answer>(_ body: (OpenTransaction) throws -> Answer) throws -> (answer: Answer, commit: Commit) {
        let rows = SQLiteRows(db, tables, turns)
        let open = OpenTransaction(rows, options: options.store, memory: memory)
        do {
            var answer: Answer?
            try tables.transactions.commit {
                answer = try body(open)
                try open.flush()
            }
            rows.turns.memory.commit()
            (memory, turns) = (open.memory, rows.turns.memory)
            guard let answer else { throw StoreError.closed }
            return (answer, open.commit)
        } catch {
            rows.turns.memory.rollBack()
            turns = rows.turns.memory
            memory = WriterMemory(cachedInboxes: options.cachedInboxes)
            try renew()
            throw error
        }
    }

    private func renew() throws {
        deviceRows.forget()
        tables = try WriterTables(
            db, options: options, contents: contents, deviceRows, jobs, DamageWatch(reportRow: Self.found))
    }

    /// As ``MemoryWriter/rehearse(_:)``.
    func rehearse<Answer>(_ body: (OpenTransaction) throws -> Answer) throws -> Answer {
        let contents = ContentCache(capacity: 256, lastID: 1 << 40)
        let damage = DamageWatch(reportRow: Self.found)
        let rows = NewRows(tables.notifications, tables.contents, tables.contentSources, contents, damage)
        let open = OpenTransaction(
            SQLiteRows(db, tables, rehearsing: rows), options: options.store,
            memory: WriterMemory(cachedInboxes: options.cachedInboxes))
        return try tables.transactions.rehearse { try body(open) }
    }

    var reads: any StoreReads {
        SQLiteReads(
            db: db, providers: options.providers, contents: contents, jobs: jobs,
            damage: DamageWatch(reportRow: Self.found))
    }

    /// As ``MemoryWriter/forget()``.
    func forget() throws {
        memory = WriterMemory(cachedInboxes: options.cachedInboxes)
        try renew()
    }

    /// As ``MemoryWriter/crash()``.
    func crash() throws {
        turns = PushMemory()
        try forget()
    }
}
