import Testing

@testable import Postgres

@Suite(.needsServer) struct ValueTests {
    @Test func `values of each type come back as they were`() throws {
        let connection = try TestServer.connection()
        for number in [Int64.min, -1, 0, 1, .max] {
            #expect(try connection.run("SELECT $1", [.int64(number)])[0].int64(0) == number)
        }
        for number in [Int32.min, -1, 0, 1, .max] {
            #expect(try connection.run("SELECT $1", [.int32(number)])[0].int32(0) == number)
        }
        for isTrue in [false, true] {
            #expect(try connection.run("SELECT $1", [.bool(isTrue)])[0].bool(0) == isTrue)
        }
        for text in ["", "a", "ä 'quoted' \"too\" \\ \n", "👩‍👩‍👧", String(repeating: "x", count: 1 << 20)] {
            #expect(try connection.run("SELECT $1", [.text(text)])[0].text(0) == text)
        }
        for bytes in [[], [0], [UInt8](0...255)] {
            let row = try connection.run("SELECT $1", [.bytes(bytes)])[0]
            #expect(try row.bytes(0) == bytes)
        }
    }

    @Test func `NULL has a type too`() throws {
        let connection = try TestServer.connection()
        let row = try connection.run(
            "SELECT $1, $2, $3, $4, $5, pg_typeof($1)::text",
            [.int64(nil), .int32(nil), .bool(nil), .text(nil), .bytes(nil)])[0]
        #expect(try row.int64OrNil(0) == nil)
        #expect(try row.int32OrNil(1) == nil)
        #expect(try row.boolOrNil(2) == nil)
        #expect(try row.textOrNil(3) == nil)
        #expect(try row.bytesOrNil(4) == nil)
        #expect(try row.text(5) == "bigint")
    }

    @Test func `arrays come back, with NULLs and without anything`() throws {
        let connection = try TestServer.connection()
        let statement: PostgresStatement = """
            SELECT a, b, c FROM unnest($1, $2, $3) WITH ORDINALITY AS t (a, b, c, place) ORDER BY place
            """
        let rows = try connection.run(
            statement,
            [
                .int64s([1, nil, .max]), .texts(["", nil, "z"]), .byteArrays([[0, 1], nil, []]),
            ])
        #expect(try rows.map { try $0.int64OrNil(0) } == [1, nil, .max])
        #expect(try rows.map { try $0.textOrNil(1) } == ["", nil, "z"])
        #expect(try rows.map { try $0.bytesOrNil(2) } == [[0, 1], nil, []])
        #expect(try connection.run(statement, [.int64s([]), .texts([]), .byteArrays([])]).isEmpty)
    }

    @Test func `ten thousand rows go in by unnest`() throws {
        let connection = try TestServer.connection()
        try connection.run("CREATE TEMP TABLE many (id int8 PRIMARY KEY, name text, body bytea)")
        let numbers = (0..<10_000).map { Int64($0) }
        let result = try connection.run(
            "INSERT INTO many SELECT * FROM unnest($1, $2, $3)",
            [
                .int64s(numbers), .texts(numbers.map { $0.isMultiple(of: 3) ? nil : "name \($0)" }),
                .byteArrays(numbers.map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 100) }),
            ])
        #expect(result.changedRows == 10_000)
        let rows = try connection.run("SELECT id, name, body FROM many ORDER BY id")
        #expect(rows.count == 10_000)
        #expect(try rows.map { try $0.int64(0) } == numbers)
        #expect(try rows[3].textOrNil(1) == nil)
        #expect(try rows[4].text(1) == "name 4")
        #expect(try rows[9999].bytes(2) == [UInt8](repeating: UInt8(truncatingIfNeeded: 9999), count: 100))
    }

    @Test func `a value of another type, or none, is a failure`() throws {
        let row = try TestServer.connection().run("SELECT 'abc'::text, NULL::int8, 5000000000, 3::int2")[0]
        #expect(try failure { _ = try row.int64(0) }.meaning == .other)
        #expect(try failure { _ = try row.int64(1) }.message == "column 1 of the result is NULL")
        #expect(try failure { _ = try row.int32(2) }.message == "column 2 of the result is beyond 32 bits")
        #expect(try row.int64(3) == 3)
        #expect(try failure { _ = try row.text(4) }.message == "column 4 of the result is not there")
    }
}
