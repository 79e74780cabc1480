import Foundation
import GRDB
import Testing

@testable import Storage

/// Which syncs of a real log reach its file.
struct LogSyncingTests {
    private let syncing = LogSyncing(longest: .seconds(3_600))

    private func withLog(
        checkpointAfter pages: Int = 1_000, _ body: (Database, SyncProbe) throws -> Void
    ) throws {
        try withDatabasePath { path in
            let pool = try DatabasePool(path: path)
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
                try db.execute(sql: "PRAGMA wal_autocheckpoint = \(pages)")
                try db.execute(sql: "CREATE TABLE row (id INTEGER PRIMARY KEY)")
                let probe = try #require(SyncProbe(db))
                #expect(LogFile.join(db, syncing))
                try insert(db)
                #expect(probe.takeSyncs() > 0)
                try body(db, probe)
            }
            try pool.close()
        }
    }

    private func insert(_ db: Database) throws { try db.execute(sql: "INSERT INTO row DEFAULT VALUES") }

    @Test func `a commit that need not wait syncs nothing, and the next one that must takes it along`() throws {
        try withLog { db, probe in
            try syncing.leavingOut { try insert(db) }
            #expect(probe.takeSyncs() == 0)
            #expect(syncing.deadline != nil)
            try insert(db)
            #expect(probe.takeSyncs() == 1)
            #expect(syncing.deadline == nil)
        }
    }

    @Test func `the disk can be told to take what it misses`() throws {
        try withLog { db, probe in
            try syncing.leavingOut { try insert(db) }
            try LogFile.sync(db)
            #expect(probe.takeSyncs() == 1)
            #expect(syncing.deadline == nil)
        }
    }

    @Test func `what need not wait changes nothing for a commit that has nothing to write`() throws {
        try withLog { db, probe in
            try syncing.leavingOut { try db.execute(sql: "BEGIN IMMEDIATE; COMMIT") }
            #expect(syncing.deadline == nil)
            try insert(db)
            #expect(probe.takeSyncs() == 1)
        }
    }

    @Test func `the log is synced before its pages go to the database, whoever commits`() throws {
        try withLog(checkpointAfter: 1) { db, probe in
            try syncing.leavingOut { try insert(db) }
            // The new log's header, and the log.
            #expect(probe.takeSyncs() == 2)
            #expect(syncing.deadline == nil)
        }
    }

    @Test func `a disk that fails then has lost the commit, of which SQLite tells nothing`() throws {
        try withLog { db, probe in
            let transactions = try TransactionStatements(db, syncing, PushJobIndex())
            try transactions.commit { false }
            try transactions.commit {
                try insert(db)
                return false
            }
            try db.execute(sql: "PRAGMA wal_autocheckpoint = 1")
            probe.isFailing = true
            #expect(throws: DatabaseError.self) {
                try transactions.commit {
                    try insert(db)
                    return false
                }
            }
            probe.isFailing = false
            #expect(syncing.areLost)
            #expect(throws: DatabaseError.self) { try transactions.commit { true } }
        }
    }

    @Test func `a promise that writes nothing has the disk take what came before it`() throws {
        try withLog { db, probe in
            let transactions = try TransactionStatements(db, syncing, PushJobIndex())
            try transactions.commit {
                try insert(db)
                return false
            }
            #expect(probe.takeSyncs() == 0)
            try transactions.commit { true }
            #expect(probe.takeSyncs() == 1)
            #expect(syncing.deadline == nil)
        }
    }

    @Test func `a transaction whose pages went to the log before its end is synced all the same`() throws {
        try withLog { db, probe in
            try db.execute(sql: "PRAGMA cache_size = 2; CREATE TABLE text (id INTEGER PRIMARY KEY, text TEXT)")
            _ = probe.takeSyncs()
            let transactions = try TransactionStatements(db, syncing, PushJobIndex())
            let text = String(repeating: "long ", count: 500)
            try transactions.commit {
                for id in 1...100 {
                    try db.execute(sql: "INSERT INTO text VALUES (?, ?)", arguments: [id, text])
                    try db.execute(sql: "UPDATE text SET text = text || id WHERE id = ?", arguments: [(id + 1) / 2])
                }
                return false
            }
            #expect(probe.takeSyncs() == (syncing.deadline == nil ? 1 : 0))
            #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM text") == 100)
        }
    }

    @Test func `the header of a log that begins anew is synced`() throws {
        try withLog { db, probe in
            try db.execute(sql: "PRAGMA wal_checkpoint(RESTART)")
            _ = probe.takeSyncs()
            try syncing.leavingOut { try insert(db) }
            #expect(probe.takeSyncs() == 1)
            #expect(syncing.deadline != nil)
        }
    }

    @Test func `a disk that fails later has lost commits`() throws {
        try withLog { db, probe in
            try syncing.leavingOut { try insert(db) }
            probe.isFailing = true
            #expect(throws: DatabaseError.self) { try insert(db) }
            #expect(syncing.areLost)
            probe.isFailing = false
        }
    }

    @Test func `a disk that fails at a commit that waits loses only that one`() throws {
        try withLog { db, probe in
            probe.isFailing = true
            #expect(throws: DatabaseError.self) { try insert(db) }
            probe.isFailing = false
            #expect(!syncing.areLost)
            try insert(db)
        }
    }
}
