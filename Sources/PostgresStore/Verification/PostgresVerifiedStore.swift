package import Postgres
package import Verification

/// A database that `belfry verify` checks, whether nodes use it or not, and mends if none does.
package final class PostgresVerifiedStore: VerifiedStore {
    package let name: String
    package let dialect = Dialect.postgres
    private let connection: PostgresConnection
    /// Keeps nodes away to mend.
    private let end: PostgresEnd?

    /// - Parameter isForMending: whether no node may start until ``close()``.
    /// - Throws: ``VerificationProblem``
    package init(_ address: PostgresAddress, isForMending: Bool) throws {
        name = "\(address)"
        var options = PostgresOptions()
        options.applicationName = "belfry verify"
        // Some checks read whole tables.
        (options.statementTimeout, options.idleInTransactionTimeout) = (.seconds(3_600), .seconds(600))
        options.callTimeout = .seconds(3_660)
        do {
            connection = try PostgresConnection(address, options)
            try Self.checkTables(connection, name)
            end = isForMending ? try PostgresEnd(address, isTarget: false) : nil
        } catch let problem as VerificationProblem {
            throw problem
        } catch {
            throw VerificationProblem.failed(at: name, reason: "\(error)")
        }
    }

    private static func checkTables(_ connection: PostgresConnection, _ name: String) throws {
        let isThere = try connection.run("SELECT to_regclass('schema_step') IS NOT NULL")[0].bool(0)
        guard isThere else {
            throw VerificationProblem.noStore(at: name, expected: "tables that Belfry has made")
        }
        let step = try connection.run("SELECT coalesce(max(number), 0) FROM schema_step")[0].int64(0)
        if step > Schema.steps.count { throw VerificationProblem.newerTables(at: name) }
        if step < Schema.steps.count { throw VerificationProblem.olderTables(at: name) }
        if try MigrationMark.isThere(connection) {
            throw VerificationProblem.unfinished(at: name, command: "belfry migrate")
        }
        if try EpochMark.isThere(connection) {
            throw VerificationProblem.unfinished(at: name, command: "belfry epochs")
        }
    }

    /// Ends the sessions, and lets nodes start again.
    package func close() {
        connection.close()
        end?.close()
    }

    package func atOneMoment<Value>(_ body: (any StoreMoment) throws -> Value) throws -> Value {
        do {
            let schema = try FreshSchema.missing(in: connection)
            return try connection.transaction(.snapshot) {
                try body(PostgresMoment(connection: connection, missingInSchema: schema))
            }
        } catch let failure as PostgresFailure where damage(in: failure) == nil {
            throw VerificationProblem.failed(at: name, reason: "\(failure)")
        }
    }

    package func mend(_ statements: [String]) throws {
        guard let end else { preconditionFailure("it was not opened to be mended") }
        do {
            try end.connection.transaction {
                for statement in statements { try end.connection.run(PostgresStatement(composed: statement)) }
            }
        } catch let failure as PostgresFailure {
            throw VerificationProblem.failed(at: name, reason: "\(failure)")
        }
    }

    package func finishMending() {}

    /// Corrupted data and indexes (PostgreSQL, "PostgreSQL Error Codes", class XX), and what the schema lacks.
    package func damage(in error: any Error) -> String? {
        guard let failure = error as? PostgresFailure, !failure.isConnectionOver,
            ["XX", "42"].contains(failure.sqlState.prefix(2)), failure.sqlState != "42501"
        else { return nil }
        return "\(failure)"
    }
}
