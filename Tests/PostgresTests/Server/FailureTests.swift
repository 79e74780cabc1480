import Glibc
import Testing

@testable import Postgres

/// Each meaning of a failure, by causing it.
@Suite(.needsServer) struct FailureTests {
    @Test func `a key that is there`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE keyed (key text CONSTRAINT one_of_each UNIQUE)")
        try connection.run("INSERT INTO keyed VALUES ($1)", [.text("s3cret")])
        let told = try failure { try connection.run("INSERT INTO keyed VALUES ($1)", [.text("s3cret")]) }
        #expect(told.meaning == .uniqueViolation && told.sqlState == "23505" && told.constraint == "one_of_each")
        #expect(!String(reflecting: told).contains("s3cret"))
        #expect(connection.isOpen && !told.isConnectionOver && !told.isUnknown)
    }

    @Test func `messages about data and raised ones have no value`() throws {
        let connection = try TestServer.connection()
        let statements: [PostgresStatement] = [
            "SELECT $1::int8", "SELECT $1::jsonb", "SELECT $1::bytea", "SELECT to_date($1, 'YYYY')",
            "SELECT set_config('work_mem', $1, false)", "SELECT $1::inet", "SELECT to_tsquery($1)",
            "SELECT $1::jsonpath", "SELECT ($1 || '!')::timestamptz",
        ]
        for statement in statements {
            let told = try failure { try connection.run(statement, [.text("\\s3cret's: \"s3cret\"")]) }
            var dumped = ""
            dump(told, to: &dumped)
            #expect(!dumped.contains("s3cret"), "\(told)")
        }
        let raised = try failure { try connection.run("DO $$ BEGIN RAISE EXCEPTION 's3cret'; END $$") }
        #expect(raised.description == "PostgreSQL: P0001: a function raised an exception")
    }

    @Test func `a deadlock between two`() throws {
        let setup = try TestServer.connection()
        try setup.run("CREATE TABLE locked AS SELECT id::int8 FROM generate_series(0, 1) id")
        defer { _ = try? setup.run("DROP TABLE locked") }
        let update: PostgresStatement = "UPDATE locked SET id = id WHERE id = $1"
        let line = Rendezvous()
        let both = (0..<2).map { (number: Int64) in
            Beside { () -> PostgresFailure.Meaning? in
                let connection = try TestServer.connection()
                try connection.run("SET deadlock_timeout = '50ms'")
                do {
                    try connection.transaction {
                        try connection.run(update, [.int64(number)])
                        line.meet()
                        try connection.run(update, [.int64(1 - number)])
                    }
                } catch let failure as PostgresFailure {
                    #expect(failure.sqlState == "40P01" && !failure.isUnknown)
                    // The transaction is undone, and the connection takes the next one.
                    #expect(try connection.run("SELECT 1::int8")[0].int64(0) == 1)
                    return failure.meaning
                }
                return nil
            }
        }
        let meanings = try both.map { try $0.value() }
        #expect(meanings.compactMap(\.self) == [.tryAgain])
    }

    @Test func `a serialization failure`() throws {
        let (one, other) = (try TestServer.connection(), try TestServer.connection())
        try one.run("CREATE TABLE serial AS SELECT 0::int8 AS value")
        defer { _ = try? one.run("DROP TABLE serial") }
        let told = try failure {
            try one.transaction(.repeatableRead) {
                try one.run("SELECT value FROM serial")
                try other.run("UPDATE serial SET value = 1")
                try one.run("UPDATE serial SET value = 2")
            }
        }
        #expect(told.meaning == .tryAgain && told.sqlState == "40001")
    }

    @Test func `a statement, a lock and a call that take too long`() throws {
        var options = PostgresOptions()
        (options.statementTimeout, options.lockTimeout) = (.milliseconds(200), .milliseconds(50))
        let connection = try TestServer.connection(options)
        let slow = try failure { try connection.run("SELECT pg_sleep(60)") }
        #expect(slow.meaning == .timeOut && slow.sqlState == "57014" && connection.isOpen)

        let other = try TestServer.connection()
        try other.run("SELECT pg_advisory_lock(4711)")
        let locked = try failure { try connection.run("SELECT pg_advisory_lock(4711)") }
        #expect(locked.meaning == .timeOut && locked.sqlState == "55P03" && connection.isOpen)

        options = PostgresOptions()
        options.callTimeout = .milliseconds(100)
        let impatient = try TestServer.connection(options)
        let start = ContinuousClock.now
        let late = try failure { try impatient.run("SELECT pg_sleep(60)") }
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(late.meaning == .timeOut && late.isConnectionOver && late.isUnknown && !impatient.isOpen)
        #expect(try failure { try impatient.run("SELECT 1") }.meaning == .connectionLost)
    }

    @Test func `a transaction in which nothing happens`() throws {
        var options = PostgresOptions()
        (options.idleInTransactionTimeout, options.applicationName) = (.milliseconds(50), "idle in the test")
        let (idle, other) = (try TestServer.connection(options), try TestServer.connection())
        let told = try failure {
            try idle.transaction {
                try idle.run("SELECT 1")
                while try !other.run(
                    "SELECT pg_sleep(0.01) FROM pg_stat_activity WHERE application_name = $1",
                    [.text(options.applicationName)]
                ).isEmpty {}
                try idle.run("SELECT 1")
            }
        }
        #expect(told.meaning == .timeOut && told.sqlState == "25P03" && !told.isUnknown, "\(told)")
        #expect(!idle.isOpen)
    }

    @Test func `writes where none are taken`() throws {
        let connection = try TestServer.connection()
        let told = try failure {
            try connection.transaction(.snapshot) { try connection.run("CREATE TABLE never (a int)") }
        }
        #expect(told.meaning == .readOnly && told.sqlState == "25006" && connection.isOpen)
        let refused = try failure {
            _ = try PostgresConnection(TestServer.address("&options=-c%20default_transaction_read_only%3Don"))
        }
        #expect(refused.meaning == .readOnly, "\(refused)")
    }

    /// A disk cannot be filled here, but the server can say that it is full.
    @Test func `a full disk`() throws {
        let connection = try TestServer.connection()
        let told = try failure {
            try connection.run("DO $$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = 'disk_full'; END $$")
        }
        #expect(told.meaning == .outOfSpace && connection.isOpen)
    }

    @Test func `a session that an operator ends in a query`() throws {
        let running = Beside {
            var options = PostgresOptions()
            options.applicationName = "ended in a query"
            let connection = try TestServer.connection(options)
            let told = try failure {
                try connection.transaction {
                    try connection.queue("SELECT 1")
                    try connection.run("SELECT pg_sleep(60)")
                }
            }
            #expect(!connection.isOpen)
            return told
        }
        try TestServer.connection().terminate("ended in a query", waitingFor: "PgSleep")
        let told = try running.value()
        #expect(told.meaning == .shuttingDown && told.sqlState == "57P01" && told.isConnectionOver && !told.isUnknown)
    }

    @Test func `a lost connection outside of a transaction leaves its outcome unknown`() throws {
        let connection = try TestServer.connection()
        #expect(shutdown(connection.socket, Int32(SHUT_RDWR)) == 0)
        let told = try failure { try connection.run("SELECT 1") }
        #expect(told.meaning == .connectionLost && told.sqlState.isEmpty && told.isUnknown && told.isConnectionOver)
        #expect(!connection.isOpen)
    }

    @Test func `a connection that is lost after a failure tells the failure, without its value`() throws {
        let connection = try TestServer.connection()
        try connection.queue("SELECT $1::int8", [.text("s3cret")])
        for _ in 0..<PostgresConnection.maximumSteps { try connection.queue("SELECT 1") }
        #expect(shutdown(connection.socket, Int32(SHUT_RDWR)) == 0)
        let told = try failure { try connection.run("SELECT 1") }
        #expect(told.sqlState == "22P02" && told.isConnectionOver && !told.isUnknown)
        #expect(try !connection.isOpen && !failure { try connection.run("SELECT 1") }.description.contains("s3cret"))
        #expect(!"\(told)".contains("s3cret"), "\(told)")
    }
}
