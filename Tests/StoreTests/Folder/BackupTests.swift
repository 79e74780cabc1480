import Foundation
import GRDB
import Glibc
import Inbox
import Synchronization
import Testing

@testable import SQLiteStore
@testable import Store

struct BackupTests {
    @Test func `a backup holds what was there when it began, though the store is written meanwhile`() async throws {
        try await withStore { fixture in
            try await fixture.say("before", to: .ada)
            let path = fixture.folder + "/backup.sqlite"
            let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            // More than a step's pages, so that there is a moment between two steps.
            try await database.write { db in
                try db.execute(
                    sql: "CREATE TABLE ballast (bytes BLOB); INSERT INTO ballast VALUES (zeroblob(20000000))")
            }
            let parts = Mutex<[Double]>([])
            let summary = try StoreBackup.make(of: fixture.folder, to: path) { part in
                let isFirst = parts.withLock { parts in
                    parts.append(part)
                    return parts.count == 1
                }
                guard isFirst else { return }
                #expect(throws: Never.self) {
                    try database.write { try $0.execute(sql: "UPDATE inbox SET unread = 77; DELETE FROM ballast") }
                }
            }
            try database.close()
            #expect(summary.inboxes == 1)
            #expect(summary.bytes > 20_000_000)
            let told = parts.withLock { $0 }
            #expect(told.count > 2 && told == told.sorted() && told.last == 1)
            let copy = try DatabaseQueue(path: path)
            #expect(try await copy.read { try Int.fetchOne($0, sql: "SELECT unread FROM inbox") } != 77)
            #expect(try await copy.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM ballast") } == 1)
            try copy.close()
            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder)
            #expect(!names.contains { $0.contains(".partial") })
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func `a restored store has all of it, and new epochs for inboxes and feeds`() async throws {
        try await withBackup { fixture, path in
            let old = try await fixture.store.state(of: .ada)
            let folder = fixture.folder + "/restored"
            let epochs = Epochs()
            _ = try StoreBackup.restore(path, into: folder) { epochs.next() }
            let restored = try StoreFixture(folder: folder)
            let state = try await restored.store.state(of: .ada)
            #expect(try await restored.texts(of: .ada) == ["two", "one"])
            // No number is given twice, so that whoever names a notification of before the restore names no other.
            #expect((state.seq, state.unread, state.total) == (old.seq + 1_000_000, old.unread, old.total))
            try await restored.say("three", to: .ada)
            let newest = try #require(try await restored.store.page(of: .ada).notifications.first)
            #expect(newest.id.sequence == state.seq + 1)
            let since = try await restored.ids(of: .ada)[1]
            let lost = NotificationID(inbox: since.inbox, sequence: old.seq + 2)
            #expect(try await restored.store.page(.after(lost), of: .ada).texts == ["three"])
            let position = InboxPosition(epoch: state.epoch, seq: state.seq)
            #expect(try await restored.store.recover(.ada, from: position).changes?.count == 1)
            let inboxes = try await [state.epoch, restored.store.state(of: .bob).epoch]
            #expect(Set(inboxes + [old.epoch]).count == 3)
            await restored.store.close()
            // The backup itself is as it was.
            #expect(try StoreBackup.restore(path, into: folder + "-2") { epochs.next() }.inboxes == 2)
            #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder + "-2") }
        }
    }

    @Test func `nothing is overwritten, and nothing unfinished is left behind`() async throws {
        try await withBackup { fixture, path in
            #expect(throws: BackupError.exists(path: path)) { try StoreBackup.make(of: fixture.folder, to: path) }
            let empty = fixture.folder + "/empty"
            #expect(throws: BackupError.noStore(folder: empty)) { try StoreBackup.make(of: empty, to: path + "-2") }
            #expect(throws: BackupError.notOpened(.folderInUse(path: fixture.folder))) {
                try StoreBackup.restore(path, into: fixture.folder) { "epoch" }
            }
            let taken = fixture.folder + "/taken"
            _ = try StoreBackup.restore(path, into: taken) { "epoch" }
            #expect(throws: BackupError.exists(path: taken + "/belfry.sqlite")) {
                try StoreBackup.restore(path, into: taken) { "epoch" }
            }
            // A log without its database would be read as the restored one's.
            for log in ["belfry.sqlite-wal", "belfry.sqlite-journal"] {
                let logOnly = fixture.folder + "/only-" + log
                try FileManager.default.createDirectory(atPath: logOnly, withIntermediateDirectories: true)
                try Data("log".utf8).write(to: URL(filePath: logOnly + "/" + log))
                #expect(throws: BackupError.exists(path: logOnly + "/" + log)) {
                    try StoreBackup.restore(path, into: logOnly) { "epoch" }
                }
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: logOnly).sorted() == ["belfry.lock", log])
            }
        }
    }

    @Test func `a file that is no backup is refused: another file, a store with its log, a newer or a damaged one`()
        async throws
    {
        try await withBackup { fixture, path in
            let (target, other) = (fixture.folder + "/target", fixture.folder + "/other.sqlite")
            #expect(throws: BackupError.hasLog(path: fixture.folder + "/belfry.sqlite")) {
                try StoreBackup.restore(fixture.folder + "/belfry.sqlite", into: target) { "epoch" }
            }
            try Data("log".utf8).write(to: URL(filePath: path + "-journal"))
            #expect(throws: BackupError.hasLog(path: path)) { try StoreBackup.restore(path, into: target) { "epoch" } }
            try FileManager.default.removeItem(atPath: path + "-journal")
            try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: other))
            #expect(throws: BackupError.self) { try StoreBackup.restore(other, into: target) { "epoch" } }
            var bytes = try Data(contentsOf: URL(filePath: path))
            for index in 40_000..<60_000 { bytes[index] ^= 0x55 }
            try bytes.write(to: URL(filePath: other))
            #expect(throws: BackupError.self) { try StoreBackup.restore(other, into: target) { "epoch" } }
            let newer = try DatabaseQueue(path: path)
            try await newer.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('from the future')") }
            try newer.close()
            #expect(throws: BackupError.notOpened(.newerSchema(path: path))) {
                try StoreBackup.restore(path, into: target) { "epoch" }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["belfry.lock"])
        }
    }

    @Test func `the rest of a killed restore is not mixed into the next one`() async throws {
        try await withBackup { fixture, path in
            let folder = fixture.folder + "/restored"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // A backup in the middle of its change, and the journal that takes the change back: of another time.
            let left = folder + "/belfry.sqlite.partial"
            try FileManager.default.copyItem(atPath: path, toPath: left)
            let database = try DatabaseQueue(path: left)
            try await database.writeWithoutTransaction { db in
                try db.execute(sql: "UPDATE inbox SET unread = 77")
                // Without syncs, as while restoring, the journal is good at once.
                try db.execute(sql: "PRAGMA synchronous = OFF; BEGIN; UPDATE inbox SET unread = 0")
                try FileManager.default.copyItem(atPath: left + "-journal", toPath: folder + "/kept")
                try db.execute(sql: "ROLLBACK")
            }
            try database.close()
            try FileManager.default.moveItem(atPath: folder + "/kept", toPath: left + "-journal")
            let unread = try await fixture.store.state(of: .ada).unread
            let epochs = Epochs()
            _ = try StoreBackup.restore(path, into: folder) { epochs.next() }
            let restored = try StoreFixture(folder: folder)
            #expect(try await restored.store.state(of: .ada).unread == unread)
            await restored.store.close()
        }
    }

    @Test func `two backups of one name: the second to finish leaves the first alone`() async throws {
        try await withBackup { fixture, path in
            let both = path + "-2"
            let first = Mutex<StoreBackup.Summary?>(nil)
            #expect(throws: BackupError.exists(path: both)) {
                try StoreBackup.make(of: fixture.folder, to: both) { _ in
                    guard first.withLock({ $0 }) == nil else { return }
                    #expect(throws: Never.self) {
                        let summary = try StoreBackup.make(of: fixture.folder, to: both)
                        first.withLock { $0 = summary }
                    }
                }
            }
            let bytes = try FileManager.default.attributesOfItem(atPath: both)[.size] as? Int64
            #expect(try bytes == #require(first.withLock { $0 }).bytes)
        }
    }

    @Test func `a store that cannot be looked at is not taken for one that is not there`() throws {
        let folder = NSTemporaryDirectory() + "belfry-backup-\(UUID().uuidString)"
        try FileManager.default.createSymbolicLink(atPath: folder, withDestinationPath: folder)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: folder) } }
        let source = folder + "/belfry.sqlite"
        #expect(throws: BackupError.notOpened(.folderUnusable(path: source, call: "lstat", errno: ELOOP))) {
            try StoreBackup.make(of: folder, to: folder + ".backup")
        }
    }

    @Test func `an error names the file that it is about`() async throws {
        try await withBackup { fixture, path in
            await fixture.store.close()
            let source = fixture.folder + "/belfry.sqlite"
            let database = try DatabaseQueue(path: source)
            // All of it is in the file, none in the log.
            try await database.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
            try database.close()
            var bytes = try Data(contentsOf: URL(filePath: source))
            for index in 40_000..<60_000 { bytes[index] ^= 0x55 }
            try bytes.write(to: URL(filePath: source))
            let error = #expect(throws: BackupError.self) { try StoreBackup.make(of: fixture.folder, to: path + "-2") }
            #expect(try #require(error).description.hasPrefix(source))
        }
        #expect(throws: BackupError.system(call: "write", path: "copy", errno: ENOSPC)) {
            try StoreBackup.describing("source", copy: "copy") { throw DatabaseError(resultCode: .SQLITE_FULL) }
        }
        #expect(throws: BackupError.notOpened(.database(path: "source", code: 10, message: "disk I/O error"))) {
            try StoreBackup.describing("source", copy: "copy") {
                throw DatabaseError(resultCode: .SQLITE_IOERR, message: "disk I/O error")
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root gives files away"))
    func `the files that root restores are the folder's owner's`() async throws {
        try await withBackup { fixture, path in
            let (folder, owner) = (fixture.folder + "/restored", 65_534)
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.ownerAccountID: owner, .groupOwnerAccountID: owner], ofItemAtPath: folder)
            _ = try StoreBackup.restore(path, into: folder) { "epoch" }
            for name in ["belfry.sqlite", "belfry.lock"] {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
                #expect(attributes[.ownerAccountID] as? Int == owner, "\(name)")
                #expect(attributes[.groupOwnerAccountID] as? Int == owner, "\(name)")
            }
        }
    }

    /// A store with two inboxes and a feed, and its backup.
    private func withBackup(_ body: (StoreFixture, _ path: String) async throws -> Void) async throws {
        try await withStore { fixture in
            try await fixture.say("one", to: .ada, .bob)
            try await fixture.say("two", to: .ada)
            let path = fixture.folder + "/backup.sqlite"
            _ = try StoreBackup.make(of: fixture.folder, to: path)
            try await body(fixture, path)
        }
    }
}
