import Postgres

/// The tables, made by numbered steps. Each subject has its statements in a file of its own.
enum Schema {
    /// The steps in their order; a step that a release has made never changes.
    static let steps: [[PostgresStatement]] = [
        inboxes + pushes + feeds + trail + nodes, outbox, subscriptions, webhooks, questions,
        activities, revocations,
    ]

    /// Makes the tables that are missing. Several processes may do so at once.
    ///
    /// - Parameter forMigration: whether the caller migrates the store, and no node.
    /// - Returns: whether there were none.
    /// - Throws: a failure of PostgreSQL, or ``UnfitDatabase``.
    static func bring(_ connection: PostgresConnection, forMigration: Bool = false) throws -> Bool {
        try UnfitDatabase.check(version: connection.serverVersion, encoding: connection.serverEncoding)
        return try connection.transaction {
            // One after the other; the number is ours.
            // Whoever brings the tables up to date may take a while, and the others wait for it.
            try connection.run("SET LOCAL lock_timeout = 0")
            try connection.run("SELECT pg_advisory_xact_lock(4702111234)")
            if !forMigration { try MigrationMark.check(connection) }
            try connection.run("CREATE TABLE IF NOT EXISTS schema_step (number int8 PRIMARY KEY)")
            let done = try connection.run("SELECT coalesce(max(number), 0) FROM schema_step")[0].int64(0)
            guard done <= steps.count else { throw UnfitDatabase.laterTables(step: Int(done)) }
            for number in Int(done)..<steps.count {
                for statement in steps[number] { try connection.queue(statement) }
                try connection.queue("INSERT INTO schema_step (number) VALUES ($1)", [.int64(Int64(number + 1))])
            }
            return done == 0
        }
    }
}
