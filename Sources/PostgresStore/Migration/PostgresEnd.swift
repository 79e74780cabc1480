package import Migration
package import Postgres

/// A database that `belfry migrate` or `belfry epochs` reads or changes. It has the migration's lock, so no node starts meanwhile.
package final class PostgresEnd: MigrationEnd {
    package let name: String
    let connection: PostgresConnection
    /// The number of the last node that has ever started.
    private let lastNode: Int64

    /// - Parameters:
    ///   - isTarget: whether it is to be filled: then missing tables are made.
    ///   - isForEpochs: whether it is to get new epochs; then it may have got some of them already.
    /// - Throws: ``MigrationProblem``, ``UnfitDatabase``, or a failure of PostgreSQL.
    package init(_ address: PostgresAddress, isTarget: Bool, isForEpochs: Bool = false) throws {
        name = "\(address)"
        var options = PostgresOptions()
        options.applicationName = isForEpochs ? "belfry epochs" : "belfry migrate"
        // An index's last row may be found quickly, but a table's figures and stretches take their time.
        (options.statementTimeout, options.idleInTransactionTimeout) = (.seconds(3_600), .seconds(600))
        options.callTimeout = .seconds(3_660)
        connection = try PostgresConnection(address, options)
        guard try MigrationMark.lock(connection) else { throw MigrationProblem.busy(at: name) }
        if !isTarget {
            let isThere = try connection.run("SELECT to_regclass('schema_step') IS NOT NULL")[0].bool(0)
            guard isThere else { throw MigrationProblem.noStore(at: name, expected: "tables that Belfry has made") }
            guard try !MigrationMark.isThere(connection) else { throw MigrationProblem.unfinishedSource(at: name) }
        }
        if !isForEpochs, try EpochMark.isThere(connection) { throw MigrationProblem.unfinishedEpochs(at: name) }
        _ = try Schema.bring(connection, forMigration: true)
        let living = try connection.run(
            "SELECT name FROM node WHERE NOT has_left AND lease_end > clock_timestamp() ORDER BY name"
        ).map { try $0.text(0) }
        guard living.isEmpty else { throw MigrationProblem.inUse(at: name, nodes: living) }
        lastNode = try Self.lastNode(connection)
        // A copy that the server loses in a crash is continued where it is; the last commit waits for the disk.
        if isTarget { try connection.run("SET synchronous_commit = off") }
    }

    private static func lastNode(_ connection: PostgresConnection) throws -> Int64 {
        try connection.run(
            "SELECT coalesce(pg_sequence_last_value(pg_get_serial_sequence('node', 'id')::regclass), 0)")[0].int64(0)
    }

    /// Ends the session, and with it the lock.
    package func close() { connection.close() }

    // MARK: Reading

    package func epoch() throws -> String {
        guard let row = try connection.run("SELECT epoch FROM store_epoch").first else {
            throw MigrationProblem.damagedRow(at: name, table: "store_epoch", reason: "there is none")
        }
        return try row.text(0)
    }

    package func lastInbox() throws -> Int64 {
        try connection.run(
            """
            SELECT greatest(
                pg_sequence_last_value(pg_get_serial_sequence('inbox', 'id')::regclass), (SELECT max(id) FROM inbox), 0)
            """)[0].int64(0)
    }

    package func batch(of table: MigratedTable, after key: [Cell]?, limit: Int) throws -> RowBatch {
        let parts = table.storedKey
        let values = zip(key ?? [], parts).map { $0.value($1.kind) }
        let found = try connection.run(table.selection(behindKey: key != nil), [.int64(Int64(limit))] + values)
        var batch = RowBatch(isEnd: found.count < limit)
        batch.rows = try found.map { row in
            try table.columns.enumerated().map { try Cell(row, $0, $1.kind) }
        }
        batch.last = try found.last.map { row in
            try parts.enumerated().map { try Cell(row, table.columns.count + $0, $1.kind) }
        }
        return batch
    }

    package func checkUnused() throws {
        // One that had looked at the tables before the migration's lock was taken may have registered after it.
        guard try Self.lastNode(connection) == lastNode else { throw MigrationProblem.usedMeanwhile(at: name) }
    }

    // MARK: Filling

    package func begin(epoch: String) throws {
        if try MigrationMark.isThere(connection) {
            guard try self.epoch() == epoch else { throw MigrationProblem.otherSource(at: name) }
            return
        }
        try connection.transaction {
            for table in MigratedTable.all {
                let exists = PostgresStatement(composed: "SELECT EXISTS (SELECT FROM \"\(table.name)\")")
                if try connection.run(exists)[0].bool(0) {
                    throw MigrationProblem.notEmpty(at: name, table: table.name)
                }
            }
            try MigrationMark.make(connection)
            try connection.queue("UPDATE store_epoch SET epoch = $1", [.text(epoch)])
        }
    }

    package func place(of table: MigratedTable) throws -> TablePlace {
        try MigrationMark.place(of: table.name, connection)
    }

    package func write(_ rows: [[Cell]], of table: MigratedTable, then place: TablePlace) throws {
        try connection.transaction {
            if !rows.isEmpty { try connection.queue(table.insertion, table.arrays(of: rows)) }
            try MigrationMark.write(place, of: table.name, connection)
        }
    }

    package func complete(lastInbox: Int64) throws {
        try connection.transaction {
            try continueNumbers(lastInbox: lastInbox)
            try makeLines()
        }
        // Without figures, the first statements would read whole tables.
        for table in MigratedTable.all.map(\.name) + ["push_line"] {
            try connection.run(PostgresStatement(composed: "ANALYZE \"\(table)\""))
        }
    }

    package func finish() throws {
        try connection.run("SET synchronous_commit = on")
        try MigrationMark.remove(connection)
    }

    /// Puts each device with a waiting push into its provider's order, by its first job: too early is never wrong.
    private func makeLines() throws {
        try connection.queue("DELETE FROM push_line")
        try connection.queue(
            """
            INSERT INTO push_line (device, provider, next_at, next_turn, first_due)
            SELECT DISTINCT ON (device) device, provider, due, turn, due FROM push_job ORDER BY device, due, turn
            """)
    }

    /// Lets each sequence continue behind the highest number.
    private func continueNumbers(lastInbox: Int64) throws {
        try connection.queue(
            "SELECT setval(pg_get_serial_sequence('inbox', 'id'), greatest($1, 1), $1 > 0)", [.int64(lastInbox)])
        for (table, column) in [
            ("content", "id"), ("topic", "id"), ("feed", "id"), ("broadcast", "id"), ("broadcast_page", "id"),
            ("trail_step", "number"),
        ] {
            try connection.queue(
                PostgresStatement(
                    composed: """
                        SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'), greatest(max(\(column)), 1),
                            max(\(column)) IS NOT NULL) FROM \(table)
                        """))
        }
        try connection.queue(
            "SELECT setval('device_row', greatest(max(row), 1), max(row) IS NOT NULL) FROM device")
        try connection.queue("SELECT setval('push_turn', coalesce(max(turn), 0)) FROM push_job")
    }
}
