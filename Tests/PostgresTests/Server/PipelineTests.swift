import Testing

@testable import Postgres

@Suite(.needsServer) struct PipelineTests {
    @Test func `what is queued is done in order with the next wait`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE log (id serial, word text)")
        for word in ["a", "b", "c"] { try connection.queue("INSERT INTO log (word) VALUES ($1)", [.text(word)]) }
        let rows = try connection.run("SELECT word FROM log ORDER BY id")
        #expect(try rows.map { try $0.text(0) } == ["a", "b", "c"])
    }

    @Test func `an error in the middle skips the rest, undoes the whole, and comes once`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE log (id int8 PRIMARY KEY)")
        let insert: PostgresStatement = "INSERT INTO log VALUES ($1)"
        for number in [1, 2, 1, 3] { try connection.queue(insert, [.int64(Int64(number))]) }
        let told = try failure { try connection.run("SELECT 1") }
        #expect(told.meaning == .uniqueViolation)
        #expect(told.constraint == "log_pkey")
        #expect(told.statement == insert.text)
        try connection.settle()
        #expect(try connection.run("SELECT count(*) FROM log")[0].int64(0) == 0)
        try connection.queue(insert, [.int64(1)])
        try connection.settle()
        #expect(try connection.run("SELECT count(*) FROM log")[0].int64(0) == 1)
    }

    @Test func `a statement that was skipped or is wrong is prepared again`() throws {
        let connection = try TestServer.connection()
        try connection.queue("SELECT nothing")
        try connection.queue("SELECT 5::int8")
        #expect(try failure { try connection.settle() }.sqlState == "42703")
        #expect(try connection.run("SELECT 5::int8")[0].int64(0) == 5)
        #expect(try failure { try connection.run("SELECT nothing") }.sqlState == "42703")
    }

    @Test func `a statement whose table has changed works again after one failure`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE changing (a int8)")
        try connection.run("SELECT * FROM changing")
        try connection.run("ALTER TABLE changing ADD b text")
        #expect(try failure { try connection.run("SELECT * FROM changing") }.sqlState == "0A000")
        try connection.run("SELECT * FROM changing")
    }

    @Test func `the same text takes other types, and more texts than are kept`() throws {
        let connection = try TestServer.connection()
        #expect(try connection.run("SELECT $1", [.int64(1)])[0].int64(0) == 1)
        #expect(try connection.run("SELECT $1", [.text("b")])[0].text(0) == "b")
        for number in 0...PreparedStatements.limit {
            let statement = PostgresStatement(composed: "SELECT \(number)::int8")
            #expect(try connection.run(statement)[0].int64(0) == Int64(number))
        }
    }

    /// Both sides' sockets are full at once: neither may wait for the other for ever.
    @Test func `more is queued, and answered, than sockets hold`() throws {
        let connection = try TestServer.connection()
        let text = String(repeating: "x", count: 10_000)
        for _ in 0..<5000 { try connection.queue("SELECT $1", [.text(text)]) }
        #expect(try connection.run("SELECT $1", [.text("last")])[0].text(0) == "last")
    }

    @Test func `a failure is kept when answers were read to make room`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE log (id int8 PRIMARY KEY)")
        for number in 0..<(3 * PostgresConnection.maximumSteps) {
            try connection.queue("INSERT INTO log VALUES ($1)", [.int64(Int64(number == 10 ? 0 : number))])
        }
        #expect(try failure { try connection.settle() }.meaning == .uniqueViolation)
        #expect(try connection.run("SELECT count(*) FROM log")[0].int64(0) == 0)
    }
}
