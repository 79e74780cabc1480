import Foundation
import GRDB
import Testing

@testable import SQLiteStore
@testable import Store

/// How much of a real log reaches the disk, and when.
struct CommitSyncTests {
    private func withLog(_ body: (Database, SyncProbe) throws -> Void) throws {
        try withDatabasePath { path in
            let pool = try DatabasePool(path: path)
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "CREATE TABLE row (id INTEGER PRIMARY KEY)")
                let probe = try #require(SyncProbe(db))
                #expect(LogFile.join(db))
                try insert(db)
                #expect(probe.takeSyncs() > 0)
                try body(db, probe)
            }
            try pool.close()
        }
    }

    private func insert(_ db: Database) throws { try db.execute(sql: "INSERT INTO row DEFAULT VALUES") }

    @Test func `each commit waits for the disk once`() throws {
        try withLog { db, probe in
            let transactions = try TransactionStatements(db, PushJobIndex())
            for _ in 0..<3 {
                try transactions.commit {
                    try insert(db)
                    try insert(db)
                }
                #expect(probe.takeSyncs() == 1)
            }
        }
    }

    @Test func `a transaction whose pages went to the log before its end waits for the disk too`() throws {
        try withLog { db, probe in
            try db.execute(sql: "PRAGMA cache_size = 2; CREATE TABLE text (id INTEGER PRIMARY KEY, text TEXT)")
            _ = probe.takeSyncs()
            let transactions = try TransactionStatements(db, PushJobIndex())
            let text = String(repeating: "long ", count: 500)
            try transactions.commit {
                for id in 1...100 {
                    try db.execute(sql: "INSERT INTO text VALUES (?, ?)", arguments: [id, text])
                    try db.execute(sql: "UPDATE text SET text = text || id WHERE id = ?", arguments: [(id + 1) / 2])
                }
            }
            #expect(probe.takeSyncs() == 1)
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM text") == 100)
        }
    }

    @Test func `a disk that fails loses only the commit that it fails at`() throws {
        try withLog { db, probe in
            let transactions = try TransactionStatements(db, PushJobIndex())
            probe.isFailing = true
            let failed = Result { try transactions.commit { try insert(db) } }
            #expect(throws: DatabaseError.self) { try failed.get() }
            probe.isFailing = false
            try transactions.commit { try insert(db) }
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM row") == 2)
        }
    }

    @Test func `a start has the disk take what the one before has left in the log`() async throws {
        try await withStore { fixture in
            try await fixture.say("hi", to: .ada, at: .at(0))
            let copy = fixture.folder + "-killed"
            try FileManager.default.copyItem(atPath: fixture.folder, toPath: copy)
            let next = try StoreFixture(folder: copy)
            try FileManager.default.removeItem(atPath: copy + "/belfry.sqlite-wal")
            let file = try DatabaseQueue(path: copy + "/belfry.sqlite")
            #expect(try await file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM notification") } == 1)
            try file.close()
            await next.remove()
        }
    }
}
