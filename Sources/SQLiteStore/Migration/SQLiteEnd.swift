import Deliveries
import GRDB
import Glibc
package import Migration

/// A data folder that `belfry migrate` or `belfry epochs` reads or changes. It has the folder's lock, so no server uses it meanwhile.
package final class SQLiteEnd: MigrationEnd, EpochRenewal {
    package let name: String
    private let path: String
    private let lock: FolderLock
    private let database: DatabaseQueue

    /// - Parameters:
    ///   - isTarget: whether it is to be filled: then a missing folder or database is made.
    ///   - onUpgrade: called before tables of an older version are brought up to date.
    /// - Throws: ``StoreOpenError``, or ``MigrationProblem``.
    package init(folder: String, isTarget: Bool, onUpgrade: () -> Void = {}) throws {
        (name, path) = (folder, folder + "/belfry.sqlite")
        guard isTarget || access(path, F_OK) == 0 || OpenedDatabase.isLost(at: path) else {
            throw MigrationProblem.noStore(at: "the folder \(folder)", expected: "the file belfry.sqlite")
        }
        lock = try FolderLock(folder: folder)
        database = try Self.open(folder, isTarget: isTarget, onUpgrade: onUpgrade)
        if !isTarget, try read(MigrationMark.isThere) { throw MigrationProblem.unfinishedSource(at: folder) }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.describing(path) { try database.read(body) }
    }

    private func write(_ body: (Database) throws -> Void) throws {
        try Self.describing(path) { try database.write(body) }
    }

    /// Lets go of the folder.
    package func close() {
        // A connection that does not close ends with the process.
        try? database.close()
        lock.release()
    }

    // MARK: Reading

    package func epoch() throws -> String {
        let epoch = try read { try $0.statement(sql: "SELECT epoch FROM store_epoch").first([]) { try $0.text(0) } }
        guard let epoch else { throw damage(in: "store_epoch", "there is none") }
        return epoch
    }

    package func lastInbox() throws -> Int64 {
        try read { db in
            try db.statement(sql: "SELECT max((SELECT coalesce(max(id), 0) FROM inbox), id) FROM inbox_floor")
                .first([]) { try $0.int(0) } ?? 0
        }
    }

    package func batch(of table: MigratedTable, after key: [Cell]?, limit: Int) throws -> RowBatch {
        do {
            return try read { db in
                var batch = RowBatch(isEnd: true)
                let statement = try db.statement(sql: table.selection(behindKey: key != nil))
                try statement.forEach { arguments in
                    for cell in key ?? [] { arguments.append(cell) }
                    arguments.append(limit)
                } _: { row in
                    batch.rows.append(
                        try table.columns.enumerated().map { try cell($1, of: table, in: row, at: $0) })
                    let places = table.columns.count..<table.columns.count + table.storedKeyCount
                    batch.last = try places.map { try row.cell($0) }
                }
                batch.isEnd = batch.rows.count < limit
                return batch
            }
        } catch is DamagedColumn {
            throw damage(in: table.name, "a value has the wrong type")
        }
    }

    private func cell(
        _ column: MigratedTable.Column, of table: MigratedTable, in row: StoredRow, at place: Int
    ) throws -> Cell {
        guard !column.isNumber else { return try row.optionalInt(place).map(Cell.number) ?? .null }
        guard var octets = try row.bytes(place) else { return .null }
        if column.kind == .text {
            if octets.contains(0) {
                // A provider's own words, or a muted subject: both engines show it all the same.
                guard table.name == "trail_step", column.name == "detail" else {
                    throw damage(in: table.name, "\(column.name) has U+0000, which PostgreSQL's texts cannot hold")
                }
                octets.removeAll { $0 == 0 }
            }
            guard String(validating: octets, as: UTF8.self) != nil else {
                throw damage(in: table.name, "\(column.name) is no UTF-8")
            }
        }
        return .octets(octets)
    }

    private func damage(in table: String, _ reason: String) -> MigrationProblem {
        .damagedRow(at: name, table: table, reason: reason)
    }

    /// The folder's lock keeps others away.
    package func checkUnused() throws {}

    // MARK: Filling

    package func begin(epoch: String) throws {
        if try read(MigrationMark.isThere) {
            guard try self.epoch() == epoch else { throw MigrationProblem.otherSource(at: name) }
            return
        }
        try write { db in
            for table in MigratedTable.all {
                let isFilled = try db.statement(sql: "SELECT EXISTS (SELECT 1 FROM \"\(table.name)\")")
                    .first([]) { try $0.bool(0) }
                if isFilled ?? false { throw MigrationProblem.notEmpty(at: name, table: table.name) }
            }
            try MigrationMark.make(db)
            try db.statement(sql: "UPDATE store_epoch SET epoch = ?").execute(arguments: [epoch])
        }
    }

    package func place(of table: MigratedTable) throws -> TablePlace {
        try read { try MigrationMark.place(of: table.name, $0) }
    }

    package func write(_ rows: [[Cell]], of table: MigratedTable, then place: TablePlace) throws {
        try write { db in
            let statement = try db.statement(sql: table.insertion)
            for row in rows {
                try statement.execute { arguments in for cell in row { arguments.append(cell) } }
            }
            try MigrationMark.write(place, of: table.name, db)
        }
    }

    package func complete(lastInbox: Int64) throws {
        try write { db in
            try db.statement(sql: "UPDATE inbox_floor SET id = max(id, ?)").execute(arguments: [lastInbox])
            try db.execute(sql: "DELETE FROM read_span")
            Schema.addListMark(db)
            try db.execute(sql: Schema.fillReadSpans)
        }
    }

    package func finish() throws { try writeForGood(MigrationMark.remove) }

    /// All that is in the log goes to the disk with this commit.
    private func writeForGood<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.describing(path) {
            try database.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                var value: Value?
                try db.inTransaction {
                    value = try body(db)
                    return .commit
                }
                try db.checkpoint(.truncate)
                guard let value else { preconditionFailure("a transaction that has ended has a value") }
                return value
            }
        }
    }

    // MARK: Epochs

    /// In one transaction.
    package func renewEpochs(_ progress: (Int64) throws -> Void) throws -> RenewedEpochs {
        let renewed = try writeForGood { db in
            try NewEpochs.make(in: db) { String(UInt64.random(in: 0...UInt64.max), radix: 36) }
        }
        try progress(renewed.inboxes + renewed.feeds)
        return renewed
    }
}

extension StoredRow {
    /// The column, whichever it is.
    fileprivate func cell(_ index: Int) throws -> Cell {
        if let number = try? optionalInt(index) { return .number(number) }
        return try bytes(index).map(Cell.octets) ?? .null
    }
}

extension StatementArgumentWriter {
    fileprivate mutating func append(_ cell: Cell) {
        switch cell {
        case .null: append(Int64?.none)
        case .number(let number): append(number)
        case .octets(let octets): append(octets)
        }
    }
}
