import Postgres
import Store

extension DatabaseFigures {
    /// Reads what this role may see. Each figure is a statement of its own, so one that is refused harms no other.
    ///
    /// - Throws: a failure of PostgreSQL, if it does not answer.
    init(on connection: PostgresConnection) throws {
        self.init()
        oldestTransaction = try Self.number(Self.oldestAge, connection).map { .milliseconds($0) }
        notifyQueue = try Self.number("SELECT (pg_notification_queue_usage() * 1e6)::int8", connection).map {
            Double($0) / 1_000_000
        }
        connections = try Self.number("SELECT sum(numbackends)::int8 FROM pg_stat_database", connection)
        mostConnections = try Self.number("SELECT current_setting('max_connections')::int8", connection)
        lockWaiters = try Self.number("SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted", connection)
        bytes = try Self.number("SELECT pg_database_size(current_database())", connection)
        let found = try Self.asked(Self.rowsByTable, connection)
        self.tables =
            try found?.map {
                Table(name: try $0.text(0), livingRows: try $0.int64(1), deadRows: try $0.int64(2))
            } ?? []
    }

    /// Whoever may not read all statistics does not see other roles' transactions, and so knows of no oldest one. A
    /// vacuum keeps no rows, and neither do transactions of other databases.
    private static let oldestAge: PostgresStatement = """
        SELECT coalesce((extract(epoch FROM clock_timestamp() - least(
            (SELECT min(xact_start) FROM pg_stat_activity
                WHERE (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL) AND pid <> pg_backend_pid()
                    AND coalesce(datname, current_database()) = current_database()
                    AND pid NOT IN (SELECT pid FROM pg_stat_progress_vacuum)),
            (SELECT min(prepared) FROM pg_prepared_xacts WHERE database = current_database()))) * 1000)::int8, 0)
        WHERE pg_has_role('pg_read_all_stats', 'USAGE')
        """

    private static let rowsByTable: PostgresStatement = """
        SELECT relname, n_live_tup, n_dead_tup FROM pg_stat_user_tables
        WHERE schemaname = current_schema() ORDER BY relname
        """

    private static func number(_ statement: PostgresStatement, _ connection: PostgresConnection) throws -> Int64? {
        try asked(statement, connection)?.first?.int64OrNil(0)
    }

    /// Nil if the server refuses to tell.
    private static func asked(
        _ statement: PostgresStatement, _ connection: PostgresConnection
    ) throws(PostgresFailure) -> PostgresResult? {
        do throws(PostgresFailure) {
            return try connection.run(statement)
        } catch {
            guard error.meaning == .other, !error.isConnectionOver else { throw error }
            return nil
        }
    }
}
