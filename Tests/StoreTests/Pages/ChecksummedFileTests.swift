import CSQLite
import Foundation
import GRDB
import Inbox
import Store
import Testing

@testable import SQLiteStore

/// Databases whose pages have checksums.
struct ChecksummedFileTests {
    private static let pageBytes = 4_096

    /// The numbers of the file's pages that do not end with their checksums.
    private static func wrongPages(_ path: String) throws -> [Int] {
        let content = try Data(contentsOf: URL(filePath: path))
        let pages = content[28..<32].reduce(0) { $0 << 8 | Int($1) }  // fileformat2.html §1.3.7
        return content.withUnsafeBytes { bytes in
            (0..<pages).filter { page in
                let range = page * pageBytes..<(page + 1) * pageBytes
                return !PageChecksum.isRight(.init(rebasing: bytes[range]), number: Int64(page + 1))
            }
        }
    }

    private static func flip(_ path: String, _ text: String) throws {
        var content = try Data(contentsOf: URL(filePath: path))
        let place = try #require(content.range(of: Data(text.utf8))).lowerBound
        content[place] ^= 1
        try content.write(to: URL(filePath: path))
    }

    /// Makes the file one of an older version, whose pages have no room for checksums. That room never shrinks again, so
    /// the rows move to a new file.
    private static func removeChecksums(_ path: String) throws {
        let database = try DatabaseQueue(path: path + "-older")
        try Schema.migrations.migrate(database)
        try database.writeWithoutTransaction { db in
            try db.execute(sql: "ATTACH ? AS newer", arguments: [path])
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM newer.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            for table in tables {
                try db.execute(sql: "DELETE FROM \(table); INSERT INTO \(table) SELECT * FROM newer.\(table)")
            }
        }
        try database.close()
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + "-older", toPath: path)
        #expect(try Data(contentsOf: URL(filePath: path))[20] == 0)
    }

    @Test func `all pages of a store that was used have their checksums, and so has its backup`() async throws {
        try await withStore { fixture in
            for number in 0..<300 { try await fixture.say(String(repeating: "long \(number) ", count: 900), to: .ada) }
            try await fixture.store.apply(.remove(.upTo(200)), for: .ada)
            let backup = fixture.folder + "/backup.sqlite"
            _ = try StoreBackup.make(of: fixture.folder, to: backup)
            #expect(try Self.wrongPages(backup) == [])
            await fixture.store.close()
            #expect(try Self.wrongPages(fixture.folder + "/belfry.sqlite") == [])
            let restored = fixture.folder + "-restored"
            defer { try? FileManager.default.removeItem(atPath: restored) }
            _ = try StoreBackup.restore(backup, into: restored) { "another" }
            #expect(try Self.wrongPages(restored + "/belfry.sqlite") == [])
        }
    }

    @Test func `a letter that became another one is damage: nothing is written from then on, and no list shows it`()
        async throws
    {
        let sound = try StoreFixture()
        try await sound.say("a letter", to: .ada, .bob)
        await sound.store.close()
        try Self.flip(sound.folder + "/belfry.sqlite", "a letter")
        let fixture = try StoreFixture(folder: sound.folder)
        await #expect(throws: StoreError.damaged) { try await fixture.store.page(of: .ada) }
        await #expect(throws: StoreError.damaged) { try await fixture.say("refused", to: .cleo) }
        await fixture.remove()
    }

    @Test func `a backup of a damaged store is refused`() async throws {
        try await withStore { fixture in
            try await fixture.say("a letter", to: .ada)
            await fixture.store.close()
            let path = fixture.folder + "/belfry.sqlite"
            try Self.flip(path, "a letter")
            #expect(throws: BackupError.damaged(path: path, finding: "a page has a wrong checksum")) {
                try StoreBackup.make(of: fixture.folder, to: fixture.folder + "/backup.sqlite")
            }
        }
    }

    @Test func `a store of an older version gets checksums when it is opened, and keeps all its rows`() async throws {
        let older = try StoreFixture()
        for number in 0..<50 { try await older.say("kept \(number)", to: .ada) }
        await older.store.close()
        try Self.removeChecksums(older.folder + "/belfry.sqlite")
        let fixture = try StoreFixture(folder: older.folder)
        #expect(try await fixture.store.state(of: .ada).unread == 50)
        try await fixture.say("new", to: .ada)
        #expect(try await fixture.store.state(of: .ada).unread == 51)
        await fixture.store.close()
        #expect(try Self.wrongPages(fixture.folder + "/belfry.sqlite") == [])
        await fixture.remove()
    }
}
