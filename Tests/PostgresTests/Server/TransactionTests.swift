import Testing

@testable import Postgres

@Suite(.needsServer) struct TransactionTests {
    private struct Fault: Error {}

    @Test func `what is run and queued within is committed, or undone`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE log (id int8)")
        let insert: PostgresStatement = "INSERT INTO log VALUES ($1)"
        let count = try connection.transaction {
            try connection.queue(insert, [.int64(1)])
            let count = try connection.run("SELECT count(*) FROM log")[0].int64(0)
            try connection.queue(insert, [.int64(2)])
            return count
        }
        #expect(count == 1)
        #expect(throws: Fault.self) {
            try connection.transaction {
                try connection.run(insert, [.int64(3)])
                try connection.queue(insert, [.int64(4)])
                throw Fault()
            }
        }
        // Nothing was sent before it threw.
        #expect(throws: Fault.self) { try connection.transaction { throw Fault() } }
        try connection.transaction {}
        #expect(try connection.run("SELECT sum(id)::int8 FROM log")[0].int64(0) == 3)
    }

    @Test func `a queued failure comes with the commit, which is undone`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE log (id int8 PRIMARY KEY)")
        let told = try failure {
            try connection.transaction {
                for number in [1, 1] { try connection.queue("INSERT INTO log VALUES ($1)", [.int64(Int64(number))]) }
            }
        }
        #expect(told.meaning == .uniqueViolation && !told.isUnknown && connection.isOpen)
        let thrown = try failure {
            try connection.transaction {
                for number in [1, 1] { try connection.queue("INSERT INTO log VALUES ($1)", [.int64(Int64(number))]) }
                throw PostgresFailure(.other, "own")
            }
        }
        #expect(thrown.message == "own")
        #expect(try connection.run("SELECT count(*) FROM log")[0].int64(0) == 0)
    }

    @Test func `a failure that the body swallowed is told by the commit`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE log (id int8 PRIMARY KEY)")
        let told = try failure {
            try connection.transaction {
                try connection.run("INSERT INTO log VALUES (1)")
                _ = try? connection.run("INSERT INTO log VALUES (1)")
            }
        }
        #expect(told.sqlState == "25P02" && connection.isOpen)
        #expect(try connection.run("SELECT count(*) FROM log")[0].int64(0) == 0)
    }

    @Test func `a savepoint keeps the rest`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE log (id int8 PRIMARY KEY)")
        try connection.transaction {
            try connection.queue("INSERT INTO log VALUES (1)")
            try connection.queue("SAVEPOINT one")
            #expect(throws: PostgresFailure.self) { try connection.run("INSERT INTO log VALUES (1)") }
            try connection.queue("ROLLBACK TO one")
            try connection.queue("INSERT INTO log VALUES (2)")
        }
        #expect(try connection.run("SELECT count(*) FROM log")[0].int64(0) == 2)
    }

    @Test func `a failure of the commit itself is known`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE log (id int8 UNIQUE DEFERRABLE INITIALLY DEFERRED)")
        let told = try failure {
            try connection.transaction { try connection.run("INSERT INTO log VALUES (1), (1)") }
        }
        #expect(told.meaning == .uniqueViolation && !told.isUnknown && connection.isOpen)
    }

    @Test func `what was queued before is settled before`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE log (id int8)")
        try connection.queue("INSERT INTO log VALUES (1)")
        #expect(throws: Fault.self) { try connection.transaction { throw Fault() } }
        #expect(try connection.run("SELECT count(*) FROM log")[0].int64(0) == 1)
    }

    @Test func `a commit whose answer was lost is told as such`() throws {
        let setup = try TestServer.connection()
        try setup.run("CREATE TABLE slow_to_commit (id int8)")
        try setup.run(
            """
            CREATE FUNCTION sleep_at_commit() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN PERFORM pg_sleep(60); RETURN NULL; END'
            """)
        try setup.run(
            """
            CREATE CONSTRAINT TRIGGER sleeps AFTER INSERT ON slow_to_commit DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION sleep_at_commit()
            """)
        let running = Beside {
            var options = PostgresOptions()
            (options.applicationName, options.statementTimeout) = ("ended in a commit", .seconds(100))
            let connection = try TestServer.connection(options)
            return try failure {
                try connection.transaction { try connection.queue("INSERT INTO slow_to_commit VALUES (1)") }
            }
        }
        try setup.terminate("ended in a commit", waitingFor: "PgSleep")
        let told = try running.value()
        #expect(told.isUnknown && told.isConnectionOver && told.sqlState == "57P01", "\(told)")
        #expect(told.description.hasSuffix("(it may have been committed)"))

        var options = PostgresOptions()
        options.callTimeout = .milliseconds(100)
        let impatient = try TestServer.connection(options)
        let late = try failure {
            try impatient.transaction { try impatient.queue("INSERT INTO slow_to_commit VALUES (1)") }
        }
        #expect(late.isUnknown && late.meaning == .timeOut)
    }
}
