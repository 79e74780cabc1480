import Foundation
import Testing

@testable import Postgres

/// The figures of docs/decisions/postgres.md: `BELFRY_POSTGRES_FIGURES=1`, with a release build.
@Suite(
    .needsServer, .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["BELFRY_POSTGRES_FIGURES"] != nil))
struct FigureTests {
    @Test func figures() throws {
        let connection = try TestServer.connection()
        try measure("a round trip", 20_000) { try connection.run("SELECT $1", [.int64(1)]) }
        try measure("an empty transaction with one row asked", 2000) {
            try connection.transaction { try connection.run("SELECT $1", [.int64(1)]) }
        }
        try connection.run("CREATE TEMP TABLE rows (id int8 PRIMARY KEY, body bytea)")
        let bodies = (0..<500).map { [UInt8](repeating: UInt8(truncatingIfNeeded: $0), count: 500) }
        var next: Int64 = 0
        try measure("500 rows of 500 bytes by unnest", 50) {
            let ids = (next..<(next + 500)).map(Optional.some)
            next += 500
            try connection.run("INSERT INTO rows SELECT * FROM unnest($1, $2)", [.int64s(ids), .byteArrays(bodies)])
        }
        try measure("500 rows of 500 bytes queued one by one", 50) {
            for body in bodies {
                try connection.queue("INSERT INTO rows VALUES ($1, $2)", [.int64(next), .bytes(body)])
                next += 1
            }
            try connection.settle()
        }
        try measure("500 rows of 500 bytes read", 50) {
            let rows = try connection.run("SELECT id, body FROM rows WHERE id < 500")
            for row in rows { _ = (try row.int64(0), try row.bytes(1)) }
        }
        let update: PostgresStatement = "UPDATE rows SET body = $2 WHERE id = $1"
        try measure("100 updates queued, one transaction", 50) {
            try connection.transaction {
                for id in 0..<100 { try connection.queue(update, [.int64(Int64(id)), .bytes(bodies[id])]) }
            }
        }
        try measure("100 updates run, one transaction", 50) {
            try connection.transaction {
                for id in 0..<100 { try connection.run(update, [.int64(Int64(id)), .bytes(bodies[id])]) }
            }
        }
    }

    /// Prints the median and the fastest.
    private func measure<Value>(_ what: String, _ times: Int, _ body: () throws -> Value) throws {
        var taken: [Duration] = []
        for _ in 0..<(times + times / 10) { taken.append(try ContinuousClock().measure { _ = try body() }) }
        let sorted = taken.suffix(times).sorted()
        print("\(what): median \(sorted[times / 2]), fastest \(sorted[0])")
    }
}
