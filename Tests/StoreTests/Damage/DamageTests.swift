import Foundation
import GRDB
import Inbox
import Push
import SQLiteStore
import Store
import Synchronization
import Testing

struct DamageTests {
    private struct Report: Hashable {
        let code: Int
        let message: String
    }

    private final class Reports: Sendable {
        private let all = Mutex<[Report]>([])

        func add(_ report: Report) { all.withLock { $0.append(report) } }
        var told: [Report] { all.withLock { $0 } }
    }

    /// Overwrites the pages of a table that holds no more than one of them.
    private static func damage(_ table: String, in folder: String, by byte: UInt8 = 0xEE) throws {
        let path = folder + "/belfry.sqlite"
        let database = try DatabaseQueue(path: path)
        let (page, size) = try database.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT rootpage FROM sqlite_master WHERE name = ?", arguments: [table]),
                try Int.fetchOne(db, sql: "PRAGMA page_size")
            )
        }
        try database.close()
        let file = try FileHandle(forUpdating: URL(filePath: path))
        let bytes = try #require(size)
        try file.seek(toOffset: UInt64((try #require(page) - 1) * bytes))
        try file.write(contentsOf: Data(repeating: byte, count: bytes))
        try file.close()
    }

    private static func withDamaged(
        _ table: String, by byte: UInt8 = 0xEE, _ body: (StoreFixture, Reports) async throws -> Void
    ) async throws {
        let sound = try StoreFixture()
        try await sound.store.register(.phone(), for: .ada)
        try await sound.say("kept", to: .ada, .bob)
        await sound.store.close()
        try damage(table, in: sound.folder, by: byte)
        let reports = Reports()
        let fixture = try StoreFixture(folder: sound.folder) { options in
            options.onDamage = { reports.add(Report(code: $0, message: $1)) }
        }
        let result: Result<Void, any Error>
        do { result = .success(try await body(fixture, reports)) } catch { result = .failure(error) }
        await fixture.remove()
        try result.get()
    }

    @Test func `a write that meets damage is the last one, and the damage is told once`() async throws {
        try await Self.withDamaged("change") { fixture, reports in
            #expect(!fixture.store.isDamaged)
            // The damaged page was not touched until now.
            try await fixture.say("written", to: .bob)
            #expect(reports.told == [])
            await #expect(throws: StoreError.damaged) { try await fixture.store.apply(.read(.upTo(1)), for: .ada) }
            #expect(fixture.store.isDamaged)
            // Writes that would not touch the page are refused as well.
            await #expect(throws: StoreError.damaged) { try await fixture.say("refused", to: .cleo) }
            await #expect(throws: StoreError.damaged) { try await fixture.store.leasePushJobs(at: .at(9)) }
            #expect(reports.told.map(\.code) == [8_202])  // SQLITE_IOERR_DATA: a wrong checksum
            // Readable rows are read, and no part of a refused write is there.
            #expect(try await fixture.texts(of: .bob) == ["written", "kept"])
            #expect(try await fixture.texts(of: .ada) == ["kept"])
            #expect(fixture.told(to: .ada).isEmpty)
        }
    }

    @Test func `writes that wait together are all refused, and none is tried by itself`() async throws {
        try await Self.withDamaged("change") { fixture, reports in
            let (answers, continuation) = AsyncStream.makeStream(of: StoreError?.self)
            try await fixture.whileHeld {
                for user in [UserID.ada, .bob, .cleo] {
                    fixture.store.apply(.read(.upTo(9)), for: user, at: .at(1)) { continuation.yield($0.failure) }
                }
            }
            for await refusal in answers.prefix(3) { #expect(refusal == .damaged) }
            await #expect(throws: StoreError.damaged) { try await fixture.store.apply(.read(.upTo(9)), for: .ada) }
            #expect(reports.told.count == 1)
        }
    }

    @Test func `a store whose queue of pushes cannot be counted opens to be read, and tells at once`() async throws {
        try await Self.withDamaged("push_job") { fixture, reports in
            #expect(fixture.store.isDamaged)
            #expect(reports.told.map(\.code) == [8_202])  // SQLITE_IOERR_DATA: a wrong checksum
            let texts = try await fixture.texts(of: .ada)
            #expect(texts == ["kept"])
            await #expect(throws: StoreError.damaged) { try await fixture.say("refused", to: .cleo) }
            #expect(reports.told.count == 1)
        }
    }

    @Test(arguments: [0x00, 0xEE])
    func `a store whose contents cannot be numbered opens to be read, and tells at once`(_ byte: UInt8) async throws {
        try await Self.withDamaged("content", by: byte) { fixture, reports in
            #expect(fixture.store.isDamaged)
            #expect(reports.told.map(\.code) == [8_202])  // SQLITE_IOERR_DATA: a wrong checksum
            let unread = try await fixture.store.state(of: .ada).unread
            #expect(unread == 1)
            await #expect(throws: StoreError.damaged) { try await fixture.store.page(of: .ada) }
            await #expect(throws: StoreError.damaged) { try await fixture.say("refused", to: .cleo) }
            #expect(reports.told.count == 1)
        }
    }

    @Test(arguments: [0x00, 0xEE])
    func `a store whose version cannot be read is told in one line, with what to do`(
        _ byte: UInt8
    ) async throws {
        let sound = try StoreFixture()
        try await sound.say("kept", to: .ada)
        await sound.store.close()
        for name in ["grdb_migrations", "sqlite_autoindex_grdb_migrations_1"] {
            try Self.damage(name, in: sound.folder, by: byte)
        }
        let path = sound.folder + "/belfry.sqlite"
        do {
            try await StoreFixture(folder: sound.folder).store.close()
            Issue.record("it opened")
        } catch let error as StoreOpenError {
            if case .damaged(path, code: 8_202, _) = error {} else { Issue.record("\(error)") }
            #expect(!error.description.contains("\n"))
            #expect(error.description.contains("belfry restore") && error.description.contains("docs/operations.md"))
        }
        await sound.remove()
    }

    @Test func `a read that meets damage ends all writing`() async throws {
        try await Self.withDamaged("notification") { fixture, reports in
            await #expect(throws: StoreError.damaged) { try await fixture.store.page(of: .ada) }
            await #expect(throws: StoreError.damaged) { try await fixture.store.register(.phone("2"), for: .cleo) }
            #expect(reports.told.count == 1)
        }
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
