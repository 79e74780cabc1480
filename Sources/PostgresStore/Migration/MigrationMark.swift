import Migration
import Postgres

/// How `belfry migrate` keeps nodes away: by a lock while it runs, and by the table `migration` in a database that it
/// has not finished filling. The table tells how far each table is.
enum MigrationMark {
    private static let number = "(4704, hashtext(coalesce(current_schema(), '')))"

    /// Within a transaction.
    ///
    /// - Throws: ``UnfitDatabase`` if no node may use the database.
    static func check(_ connection: PostgresConnection) throws {
        let lock = PostgresStatement(composed: "SELECT pg_advisory_xact_lock_shared\(number)")
        guard try isTaken(lock, connection) else { throw UnfitDatabase.inMigration }
        guard try !isThere(connection) else { throw UnfitDatabase.unfinishedMigration }
        guard try !EpochMark.isThere(connection) else { throw UnfitDatabase.unfinishedEpochs }
    }

    /// Takes the lock until the connection's end.
    ///
    /// - Returns: false if another migration has it.
    static func lock(_ connection: PostgresConnection) throws -> Bool {
        try isTaken(PostgresStatement(composed: "SELECT pg_advisory_lock\(number)"), connection)
    }

    /// Waits a few seconds: a migration that was killed lets go of its lock with its last statement.
    private static func isTaken(
        _ lock: PostgresStatement, _ connection: PostgresConnection
    ) throws(PostgresFailure) -> Bool {
        do throws(PostgresFailure) {
            try connection.run(lock)
        } catch {
            guard error.meaning == .timeOut, !error.isConnectionOver else { throw error }
            return false
        }
        return true
    }

    static func isThere(_ connection: PostgresConnection) throws -> Bool {
        try connection.run("SELECT to_regclass('migration') IS NOT NULL")[0].bool(0)
    }

    static func make(_ connection: PostgresConnection) throws {
        try connection.queue("CREATE TABLE migration (name text PRIMARY KEY, last bytea, is_done bool NOT NULL)")
    }

    static func remove(_ connection: PostgresConnection) throws { try connection.run("DROP TABLE migration") }

    static func place(of table: String, _ connection: PostgresConnection) throws -> TablePlace {
        let found = try connection.run("SELECT is_done, last FROM migration WHERE name = $1", [.text(table)])
        guard let row = found.first else { return .beginning }
        if try row.bool(0) { return .end }
        guard let key = [Cell](encoded: try row.bytes(1)) else {
            throw MigrationProblem.damagedRow(at: "the target", table: "migration", reason: "its key makes no sense")
        }
        return .behind(key)
    }

    static func write(_ place: TablePlace, of table: String, _ connection: PostgresConnection) throws {
        var last: [UInt8]?
        if case .behind(let key) = place { last = key.encoded }
        try connection.queue(
            """
            INSERT INTO migration (name, last, is_done) VALUES ($1, $2, $3)
            ON CONFLICT (name) DO UPDATE SET last = excluded.last, is_done = excluded.is_done
            """, [.text(table), .bytes(last), .bool(place == .end)])
    }
}
