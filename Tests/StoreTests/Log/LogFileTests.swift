import Foundation
import GRDB
import Support
import Testing

@testable import SQLiteStore
@testable import Store

struct LogFileTests {
    /// Runs `body` with a pool whose writer's log is taken care of, and a file of its own.
    private func withPool(synchronous: String, cachedPages: Int = 8, _ body: (DatabasePool) throws -> Void) throws {
        try withDatabasePath { path in
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                // With few in memory, long transactions write frames before their end and read them again.
                try db.execute(sql: "PRAGMA cache_size = \(cachedPages)")
            }
            let pool = try DatabasePool(path: path, configuration: configuration)
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = \(synchronous)")
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 50")
                try db.execute(sql: "CREATE TABLE row (id INTEGER PRIMARY KEY, place INTEGER, text TEXT)")
                try db.execute(sql: "CREATE INDEX row_place ON row (place)")
                #expect(LogFile.join(db))
            }
            try body(pool)
            try pool.close()
            // The next connection has neither this log nor these functions.
            let other = try DatabaseQueue(path: path)
            #expect(try other.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
            try other.close()
        }
    }

    /// Reads on another connection, with SQLite's own functions.
    private func rows(_ pool: DatabasePool) throws -> [Int64: String] {
        try pool.read { db in
            Dictionary(
                uniqueKeysWithValues: try Row.fetchAll(db, sql: "SELECT id, text FROM row").map { ($0[0], $0[1]) })
        }
    }

    private struct Undone: Error {}

    @Test(arguments: ["FULL", "NORMAL", "OFF"])
    func `others read each commit as soon as it is done, and nothing of what was undone`(_ synchronous: String) throws {
        try withPool(synchronous: synchronous) { pool in
            var random = SeededRandom(seed: 7)
            var expected: [Int64: String] = [:]
            for round in 0..<60 {
                var next = expected
                let isUndone = Int.random(in: 0..<4, using: &random) == 0
                let changes = round % 10 == 0 ? 400 : Int.random(in: 1...6, using: &random)
                do {
                    try pool.write { db in
                        for _ in 0..<changes {
                            let id = Int64.random(in: 1...600, using: &random)
                            let text = String(repeating: "\(round) ", count: Int.random(in: 1...300, using: &random))
                            try db.execute(
                                sql: "INSERT OR REPLACE INTO row VALUES (?, ?, ?)",
                                arguments: [id, Int.random(in: 0..<50, using: &random), text])
                            next[id] = text
                        }
                        // Waiting rows are read again within the transaction, too.
                        #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM row") == next.count)
                        if isUndone { throw Undone() }
                    }
                    expected = next
                } catch is Undone {}
                #expect(try rows(pool) == expected)
            }
        }
    }

    @Test func `a commit may be longer than what is written at once`() throws {
        try withPool(synchronous: "FULL", cachedPages: 2_000) { pool in
            let text = String(repeating: "long ", count: 200)
            try pool.write { db in
                for id in 1...2_000 {
                    try db.execute(sql: "INSERT INTO row VALUES (?, ?, ?)", arguments: [id, id, text])
                }
            }
            #expect(try rows(pool).count == 2_000)
        }
    }

    private func insert(_ ids: ClosedRange<Int>, into pool: DatabasePool) throws {
        for id in ids {
            try pool.write { try $0.execute(sql: "INSERT INTO row VALUES (?, ?, 'text')", arguments: [id, id]) }
        }
    }

    @Test func `commits go to bytes that the file has, until it begins at its start again`() throws {
        try withPool(synchronous: "FULL") { pool in
            try insert(1...1, into: pool)
            let bytes = try logBytes(pool)
            #expect(bytes > LogReserve.stepBytes)
            // More than the 50 pages after which they are copied to the database.
            try insert(2...100, into: pool)
            #expect(try logBytes(pool) == bytes)
        }
    }

    @Test func `a log that was emptied gets its zeros again`() throws {
        try withPool(synchronous: "FULL") { pool in
            try insert(1...3, into: pool)
            let bytes = try pool.writeWithoutTransaction { db in
                try db.checkpoint(.truncate)
                return try logBytes(pool)
            }
            #expect(bytes == 0)
            try insert(4...4, into: pool)
            #expect(try logBytes(pool) > LogReserve.stepBytes)
            #expect(try rows(pool).count == 4)
        }
    }

    @Test func `a connection that somebody else has closed meanwhile has no log to empty`() throws {
        let queue = try DatabaseQueue()
        try queue.close()
        #expect(try !queue.writeWithoutTransaction { try LogFile.empty($0, lockTimeout: .seconds(1)) })
    }

    @Test func `the log of a killed process is read up to the zeros`() throws {
        try withPool(synchronous: "FULL") { pool in
            try insert(1...20, into: pool)
            let copy = pool.path + "-copy"
            defer { removeDatabase(copy) }
            // Without the index in shared memory, as after a power cut.
            for suffix in ["", "-wal"] {
                try FileManager.default.copyItem(atPath: pool.path + suffix, toPath: copy + suffix)
            }
            let other = try DatabaseQueue(path: copy)
            #expect(try other.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM row") } == 20)
            #expect(try other.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") } == "ok")
            try other.close()
        }
    }

    private func logBytes(_ pool: DatabasePool) throws -> Int64 {
        let found = try FileManager.default.attributesOfItem(atPath: pool.path + "-wal")[.size]
        return (found as? NSNumber)?.int64Value ?? -1
    }
}
