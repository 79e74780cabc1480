import Foundation
import GRDB
import Inbox
import Synchronization
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct BrokenOffMigrationTests {
    private static let rows = 5_000

    /// A migration that writes much: a crash meets it before it commits.
    struct Step: CustomTestStringConvertible {
        let name: String
        let before: String
        let migrate: @Sendable (Database) throws -> Void
        /// Of ``rows`` rows.
        let filling: String
        /// Counts what is as the migrations leave it.
        let done: @Sendable (Database) throws -> Int?

        var testDescription: String { name }
    }

    static let steps = [
        Step(
            name: "storing times", before: "8", migrate: { try $0.execute(sql: Schema.storingTime) },
            filling: """
                INSERT INTO notification (
                    inbox, id, content, created_at, rev, seq, is_read, is_seen, unread_after, unseen_after)
                SELECT 1, id, 1, 4102444800000, 1, id, 0, 0, id, id FROM n
                """,
            done: { try Int.fetchOne($0, sql: "SELECT count(stored_at) FROM notification") }),
        Step(
            name: "numbers of pushes", before: "9", migrate: { try $0.execute(sql: Schema.pushNumbers) },
            filling: """
                INSERT INTO push_job (device, notification, provider, available_at, is_fallback, failures, expiry, sent_at)
                SELECT id % 7 + 1, id, 'apns', \(timeOrMark) FROM n
                """,
            done: jobsAndMarks),
        Step(
            name: "order of pushes", before: "10", migrate: Schema.sortQueue,
            filling: """
                INSERT INTO push_job (number, provider, available_at, is_fallback, failures, expiry, sent_at)
                SELECT ((id % 7 + 1) << 34) + id, 'apns', \(timeOrMark) FROM n
                """,
            done: jobsAndMarks),
    ]

    /// Every other row is a job that is due at the moment of its number; the others are marks.
    private static let timeOrMark = "iif(id % 2 = 0, id, NULL), 1, 0, 1, iif(id % 2 = 0, NULL, id)"

    @Sendable private static func jobsAndMarks(_ db: Database) throws -> Int? {
        let jobs = try Row.fetchAll(db, sql: "SELECT place, number FROM push_job").count { row in
            let number = PushJobNumber(rawValue: row["number"])
            let time = QueuePlace(rawValue: row["place"]).availableAt.milliseconds
            return number.notification == time && number.device == time % 7 + 1
        }
        let marks = try PushMark.all(db).reduce(0) { sum, device in
            sum
                + device.value.count {
                    $0.sentAt?.milliseconds == $0.notification && device.key == $0.notification % 7 + 1
                }
        }
        return jobs + marks
    }

    /// A folder of the version before, and a copy from the middle of bringing it up to date, as a crash would leave it.
    private func makeBrokenOffStore(in folder: String, _ step: Step) throws {
        let original = folder + "-original"
        for folder in [folder, original] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(atPath: original) } }
        var configuration = Configuration()
        // So few pages that most of a transaction is in the log before it commits.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = 10") }
        let pool = try DatabasePool(path: original + "/belfry.sqlite", configuration: configuration)
        try Schema.migrations.migrate(pool, upTo: step.before)
        try pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO inbox (id, user, epoch, seq, unread, unseen, total, devices)
                    VALUES (1, 'ada', 'epoch', \(Self.rows), \(Self.rows), \(Self.rows), \(Self.rows), 0);
                    WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < \(Self.rows))
                    \(step.filling);
                    """)
        }
        try pool.writeWithoutTransaction { db in
            // Empties the log: what is in it then is of the transaction that breaks off.
            try db.checkpoint(.truncate)
            let log = original + "/belfry.sqlite-wal"
            #expect(try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int == 0)
            try db.execute(sql: "BEGIN IMMEDIATE")
            try step.migrate(db)
            for file in ["/belfry.sqlite", "/belfry.sqlite-wal"] {
                try FileManager.default.copyItem(atPath: original + file, toPath: folder + file)
            }
            let copy = folder + "/belfry.sqlite-wal"
            #expect(try FileManager.default.attributesOfItem(atPath: copy)[.size] as? Int ?? 0 > 0)
            try db.execute(sql: "ROLLBACK")
        }
        try pool.close()
    }

    @Test(arguments: steps)
    func `a store that a crash left half brought up to date is brought up to date, and that is told`(
        _ step: Step
    ) async throws {
        let folder = NSTemporaryDirectory() + "belfry-migration-\(UUID().uuidString)"
        try makeBrokenOffStore(in: folder, step)
        let told = Mutex(0)
        let fixture = try StoreFixture(folder: folder) { $0.onMigration = { told.withLock { $0 += 1 } } }
        #expect(told.withLock { $0 } == 1)
        let state = try await fixture.store.state(of: .ada)
        #expect(state.unread == Int64(Self.rows))
        let again = try await fixture.reopened { $0.onMigration = { told.withLock { $0 += 1 } } }
        #expect(told.withLock { $0 } == 1)
        await again.store.close()
        let database = try DatabaseQueue(path: folder + "/belfry.sqlite")
        #expect(try await database.read { try step.done($0) } == Self.rows)
        try database.close()
        await again.remove()
    }

    @Test func `a new store is not told of`() async throws {
        let told = Mutex(0)
        let fixture = try StoreFixture { $0.onMigration = { told.withLock { $0 += 1 } } }
        #expect(told.withLock { $0 } == 0)
        await fixture.remove()
    }
}
