import Foundation
import GRDB
import Inbox
import Synchronization
import Testing

@testable import Storage

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
            #expect(!FileManager.default.fileExists(atPath: path + ".partial"))
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
            #expect((state.seq, state.unread) == (old.seq, old.unread))
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
            let logOnly = fixture.folder + "/log"
            try FileManager.default.createDirectory(atPath: logOnly, withIntermediateDirectories: true)
            try Data("log".utf8).write(to: URL(filePath: logOnly + "/belfry.sqlite-wal"))
            #expect(throws: BackupError.exists(path: logOnly + "/belfry.sqlite-wal")) {
                try StoreBackup.restore(path, into: logOnly) { "epoch" }
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: logOnly).sorted() == [
                    "belfry.lock", "belfry.sqlite-wal",
                ])
        }
    }

    @Test func `what is no backup is refused: another file, a store with its log, a newer or a damaged one`()
        async throws
    {
        try await withBackup { fixture, path in
            let (target, other) = (fixture.folder + "/target", fixture.folder + "/other.sqlite")
            #expect(throws: BackupError.hasLog(path: fixture.folder + "/belfry.sqlite")) {
                try StoreBackup.restore(fixture.folder + "/belfry.sqlite", into: target) { "epoch" }
            }
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
