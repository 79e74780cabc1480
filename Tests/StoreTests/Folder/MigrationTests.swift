import Foundation
import GRDB
import Inbox
import Push
import Testing

@testable import SQLiteStore
@testable import Store

struct MigrationTests {
    /// A folder as release 0.2 left it: ada with a phone and three jobs. One job was on lease and one had failed.
    private func makeOldStore(in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder + "/belfry.sqlite")
        try Schema.migrations.migrate(pool, upTo: "1")
        try pool.write { db in
            let now = Timestamp.at(0).milliseconds
            let push = #"{"title":"Said","body":"hi","group":null,"urgency":"normal","badge":"unread","data":{}}"#
            try db.execute(sql: "INSERT INTO inbox VALUES (1, 'ada', 'epoch', 3, 3, 3, 3, 1)")
            try db.execute(
                sql: "INSERT INTO content VALUES (1, 'e', 'SAID', 'hi', ?, NULL, ?, 3)",
                arguments: [Data(#""type":"SAID""#.utf8), Data(push.utf8)])
            try db.execute(sql: "INSERT INTO device VALUES (8, 1, 'phone', 'apns', 'token-1', \(now))")
            for (id, due, available, failures) in [(1, 0, 60, 0), (2, 0, 0, 0), (3, 9, 9, 2)] {
                try db.execute(
                    sql: "INSERT INTO notification VALUES (1, \(id), 1, \(now), 1, \(id), 0, 0, \(id), \(id), NULL)")
                try db.execute(
                    sql: "INSERT INTO push_job VALUES (\(id), 1, \(id), 8, 1, ?, ?, \(failures), \(now + 86_400_000))",
                    arguments: [now + Int64(due) * 1_000, now + Int64(available) * 1_000])
            }
        }
        try pool.close()
    }

    /// A folder from before keys stood in the trail: one event that is in the trail, and one from before there was a
    /// trail.
    private func makeStoreWithKeys(in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder + "/belfry.sqlite")
        try Schema.migrations.migrate(pool, upTo: "3")
        try pool.write { db in
            let now = Timestamp.at(0).milliseconds
            try db.execute(
                sql: """
                    INSERT INTO trail_event (event, page, publisher, key, type, accepted_at, verdicts)
                    VALUES ('event-2', 0, 'backend', 'told', 'said', \(now), x''),
                        ('event-2', 1, 'backend', 'told', 'said', \(now), x'')
                    """)
            for (event, key) in [("event-1", "untold"), ("event-2", "told")] {
                try db.execute(
                    sql: "INSERT INTO idempotency VALUES ('backend', ?, 7, ?, 5, 3, 2, 1, \(now + 86_400_000))",
                    arguments: [key, event])
            }
        }
        try pool.close()
    }

    /// A folder from before jobs knew two collapse ids: ada's phone shows a push, and one of what has grown since
    /// waits.
    private func makeStoreWithRenewal(in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let pool = try DatabasePool(path: folder + "/belfry.sqlite")
        try Schema.migrations.migrate(pool, upTo: "7")
        try pool.write { db in
            let now = Timestamp.at(0).milliseconds
            let push = #"{"title":"Said","body":"hi","group":null,"urgency":"normal","badge":"unread","data":{}}"#
            try db.execute(
                sql: """
                    INSERT INTO inbox (id, user, epoch, seq, unread, unseen, total, devices)
                    VALUES (1, 'ada', 'epoch', 1, 1, 1, 1, 1)
                    """)
            try db.execute(
                sql: """
                    INSERT INTO content (id, event, type, text, body, push, uses) VALUES (1, 'e', 'SAID', 'hi', ?, ?, 1)
                    """, arguments: [Data(#""type":"SAID""#.utf8), Data(push.utf8)])
            try db.execute(
                sql: """
                    INSERT INTO device (row, inbox, app, id, provider, token, registered_at, last_seen_at, badge, badge_rule)
                    VALUES (8, 1, '', 'phone', 'apns', 'token-1', \(now), \(now), 1, 'unread')
                    """)
            try db.execute(sql: "INSERT INTO notification VALUES (1, 1, 1, \(now), 2, 1, 0, 0, 1, 1, NULL)")
            try db.execute(
                sql: """
                    INSERT INTO push_job (
                        device, notification, provider, available_at, is_fallback, failures, expiry, collapse, is_shown
                    ) VALUES (8, 1, 'apns', \(now), 1, 0, \(now + 86_400_000), 'shown', 1)
                    """)
        }
        try pool.close()
    }

    @Test(arguments: [PushAction.finish, .abandon(reason: "no")])
    func `a store from before jobs knew two collapse ids knows what is on the screen`(action: PushAction) async throws {
        let folder = NSTemporaryDirectory() + "belfry-old-\(UUID().uuidString)"
        try makeStoreWithRenewal(in: folder)
        let fixture = try StoreFixture(folder: folder)
        #expect(try await fixture.statistics().pushJobsByProvider[.apns] == 1)
        let job = try await fixture.job(at: .at(1))
        #expect(job.message.collapseID == "shown")
        try await fixture.store.settle(job, as: action, at: .at(1))
        #expect(try await fixture.statistics().pushJobs == 0)
        try await fixture.store.apply(.read(.upTo(1)), for: .ada, at: .at(2))
        #expect(try await fixture.job(at: .at(10)).message.withdrawn == ["shown"])
        await fixture.remove()
    }

    @Test func `a store that kept its keys apart remembers them, for as long as it would have`() async throws {
        let folder = NSTemporaryDirectory() + "belfry-old-\(UUID().uuidString)"
        try makeStoreWithKeys(in: folder)
        let fixture = try StoreFixture(folder: folder)
        for (event, key) in [("event-1", "untold"), ("event-2", "told")] {
            let again = try await fixture.publish(fixture.entry("said", to: [.ada], key: key), at: .at(86_399))
            let answer = PublishOutcome(
                event: event, recipients: 5, created: 3, updated: 2, suppressed: 1, isReplay: true)
            #expect(again == [answer])
            let fresh = try await fixture.publish(fixture.entry("said", to: [.ada], key: key), at: .at(86_400))
            #expect(fresh.map(\.isReplay) == [false])
        }
        #expect(try await fixture.report("event-2").event.repeats == 1)
        await fixture.remove()
    }

    @Test func `a notification from the future ages from now on`() async throws {
        let folder = NSTemporaryDirectory() + "belfry-old-\(UUID().uuidString)"
        try makeOldStore(in: folder)
        let pool = try DatabasePool(path: folder + "/belfry.sqlite")
        // In the year 2100.
        try await pool.write { try $0.execute(sql: "UPDATE notification SET created_at = 4102444800000 WHERE id = 1") }
        try pool.close()
        let fixture = try StoreFixture(folder: folder)
        // The others, from 2001, stand behind it in the inbox.
        #expect(try await fixture.store.trimInboxes(olderThan: .at(1)) == 0)
        #expect(try await fixture.store.trimInboxes(olderThan: Timestamp(milliseconds: 4_102_444_799_999)) == 3)
        await fixture.remove()
    }

    @Test func `a store of release 0.2 keeps its devices and its pushes`() async throws {
        let folder = NSTemporaryDirectory() + "belfry-old-\(UUID().uuidString)"
        try makeOldStore(in: folder)
        let fixture = try StoreFixture(folder: folder)
        #expect(try await fixture.store.devices(of: .ada) == [.phone()])
        #expect(try await fixture.store.owner(ofDevice: "phone") == .ada)
        #expect(try await fixture.statistics().pushJobs == 3)
        // The one that failed holds up the others until its time, and goes first then.
        #expect(try await fixture.store.leasePushJobs(at: .at(8)).jobs.isEmpty)
        for (number, failures) in [(Int64(3), 2), (1, 0), (2, 0)] {
            let job = try await fixture.job(at: .at(9))
            #expect(job.message.notification == NotificationID(inbox: 1, sequence: number))
            #expect(job.attempt.failures == failures)
            try await fixture.store.settle(job, as: .finish)
        }
        try await fixture.store.register(.phone(at: .at(5)), for: .ada)
        #expect(try await fixture.store.devices(of: .ada).map(\.registeredAt) == [.at(0)])
        await fixture.remove()
    }
}
