import Foundation
import GRDB
import Inbox
import Testing

@testable import SQLiteStore
@testable import Store

/// Copying of a real log, which may have 1,000 frames.
struct LogCopierTests {
    private static let length = 1_000
    private let copier = LogCopier(LogLength(room: 0, longest: 64_000), longest: 64_000)

    /// Runs `body` with a pool whose log nobody else copies.
    private func withPool(_ body: (DatabasePool) throws -> Void) throws {
        try withDatabasePath { path in
            let pool = try DatabasePool(path: path)
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA wal_autocheckpoint = 0")
                #expect(LogFile.join(db))
                try db.execute(sql: "CREATE TABLE page (id INTEGER PRIMARY KEY, bytes BLOB)")
            }
            try body(pool)
            try pool.close()
        }
    }

    /// Makes commits of 100 pages each and more, and tells how many frames the log has then.
    private func commit(_ times: Int, _ pool: DatabasePool) throws -> Int {
        try pool.writeWithoutTransaction { db in
            for _ in 0..<times {
                try db.inTransaction {
                    try db.execute(
                        sql: """
                            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
                            INSERT INTO page SELECT NULL, zeroblob(4000) FROM n
                            """)
                    return .commit
                }
                try copier.committed(db)
            }
            return try #require(LogFile.frames(db))
        }
    }

    @Test func `a log that has become long begins at its start again`() throws {
        try withPool { pool in
            let before = try commit(9, pool)
            let atLength = try commit(1, pool)
            let after = try commit(1, pool)
            #expect(before < Self.length)
            #expect(atLength >= Self.length)
            #expect(after < Self.length / 4)
        }
    }

    @Test func `a log that somebody reads an older state of goes on, and is copied when they are done`() throws {
        try withPool { pool in
            _ = try commit(1, pool)
            var reader: DatabaseSnapshot? = try pool.makeSnapshot()
            let held = try commit(20, pool)
            #expect(try reader?.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM page") } == 100)
            reader = nil
            // It is tried again once the log is a quarter longer.
            let after = try commit(4, pool)
            #expect(held > 2 * Self.length)
            #expect(after < Self.length / 2)
            #expect(try pool.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM page") } == 2_500)
        }
    }

    @Test func `a disk that fails to take the log before it is copied is told of`() throws {
        try withDatabasePath { path in
            let copier = LogCopier(LogLength(room: 0, longest: 1), longest: 1)
            let pool = try DatabasePool(path: path)
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0")
                try db.execute(sql: "CREATE TABLE page (id INTEGER PRIMARY KEY)")
                let probe = try #require(SyncProbe(db))
                #expect(LogFile.join(db))
                try db.execute(sql: "INSERT INTO page DEFAULT VALUES")
                probe.isFailing = true
                let error = #expect(throws: DatabaseError.self) { try copier.committed(db) }
                #expect(error?.extendedResultCode == .SQLITE_IOERR_FSYNC)
            }
            try? pool.close()
        }
    }

    @Test func `a store copies its log when it is long, and one that begins anew may be as long again`() async throws {
        let configure: StoreFixture.Configuration = { $0.longestLog = 20 }
        try await withStore(configure) { fixture in
            let log = fixture.folder + "/belfry.sqlite-wal"
            var longest = 0
            for number in 1...60 {
                try await fixture.publish("said", "\(number)", to: .user("user-\(number)"), at: .at(0))
                longest = max(longest, try Self.framesFromStart(ofLog: log))
            }
            // Each commit has a few pages: all of them have hundreds.
            #expect((20...60).contains(longest))
            #expect(try await fixture.store.state(of: .user("user-60")).seq == 1)
        }
    }

    /// How many frames bear the salts of the log's header (fileformat2.html §4.1): the others are older.
    private static func framesFromStart(ofLog path: String) throws -> Int {
        let bytes = try Data(contentsOf: URL(filePath: path))
        let salts = bytes[16..<24]
        var count = 0
        for frame in stride(from: 32, to: bytes.count - 4_119, by: 4_120)
        where bytes[(frame + 8)..<(frame + 16)] == salts {
            count += 1
        }
        return count
    }

    @Test func `the frames are those that SQLite counts`() throws {
        try withPool { pool in
            try pool.writeWithoutTransaction { db in
                for pages in [1, 40, 3] {
                    try db.execute(
                        sql: """
                            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(pages))
                            INSERT INTO page SELECT NULL, zeroblob(4000) FROM n
                            """)
                    let counted = try db.checkpoint()
                    #expect(LogFile.frames(db) == counted.walFrameCount)
                }
            }
        }
    }

    @Test func `frames of a log that others look after are not known, and it is left to SQLite`() throws {
        try withDatabasePath { path in
            let pool = try DatabasePool(path: path)
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "CREATE TABLE page (id INTEGER PRIMARY KEY, bytes BLOB)")
                #expect(LogFile.frames(db) == nil)
                try copier.committed(db)
            }
            try pool.close()
        }
    }
}
