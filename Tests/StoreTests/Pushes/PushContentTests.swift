import GRDB
import Inbox
import JSON
import Push
import Testing

@testable import SQLiteStore
@testable import Store

/// The text of a waiting push when it leaves: its job knows the text of a new notification, and that may change or go.
struct PushContentTests {
    static let yaml = """
        catalog: tests
        actor: [id, username]
        events:
          said: {routes: [{to: people, type: SAID}]}
          added: {routes: [{to: people, type: ADDED}]}
          gathered: {routes: [{to: people, type: GATHERED}]}
          upvoted: {routes: [{to: people, type: UPVOTED}]}
        types:
          SAID:
            {text: "{{text}}", fields: {zeal: {value: text}}, push: {when: always, title: Said, body: "{{text}}"}}
          ADDED:
            text: "{{things}}"
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {when: always, title: Added, body: "{{things}}"}
          GATHERED:
            text: "{{things}}"
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {when: always, timing: each, title: Gathered, body: "{{things}}"}
          UPVOTED:
            text: "{{text}}"
            fields: {zeal: {value: text}}
            push:
              {when: always, perHour: 1, title: Upvoted, body: "{{text}}",
               summary: {title: Upvoted, body: "{{count}} upvotes"}}
        """

    private func withPhone(
        _ permission: Device.Permission? = nil, _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            try await fixture.store.register(.phone(permission), for: .ada)
            try await body(fixture)
        }
    }

    private func patch(_ fixture: StoreFixture, _ type: String) async throws {
        let patch = NotificationPatch(
            user: .ada, type: type, actor: "renee", key: nil, publisher: "backend", fields: ["zeal": "new"], now: .at(1)
        )
        #expect(try await fixture.store.patch(patch) > 0)
    }

    /// The contents that the jobs know, in the order in which they leave.
    private func contents(_ fixture: StoreFixture) async throws -> [Int64?] {
        try await fixture.rows("SELECT content FROM push_job ORDER BY place")
    }

    private func expect(_ body: String, rev: Int64, _ fixture: StoreFixture) async throws {
        let job = try await fixture.job(at: .at(9))
        #expect((job.body, job.message.rev) == (body, rev))
    }

    // MARK: What has changed

    @Test func `a job knows what its notification says as long as that is what it said when it came`() async throws {
        try await withPhone { fixture in
            try await fixture.say("hi", to: .ada)
            #expect(try await contents(fixture) == fixture.rows("SELECT id FROM content"))
            try await patch(fixture, "SAID")
            #expect(try await contents(fixture) == [nil])
            try await expect("hi", rev: 2, fixture)
        }
    }

    @Test func `a batch that has grown is pushed as it is, with one commit or several`() async throws {
        for together in [true, false] {
            try await withPhone { fixture in
                let entries = [try fixture.entry("added", to: [.ada]), try fixture.entry("added", to: [.ada])]
                if together {
                    _ = try await fixture.publish(entries[0], entries[1])
                } else {
                    for entry in entries { _ = try await fixture.publish(entry) }
                }
                try await expect("2 things", rev: 2, fixture)
            }
        }
    }

    @Test func `a batch from which something was taken back is pushed as it is`() async throws {
        try await withPhone { fixture in
            _ = try await fixture.publish(fixture.entry("added", to: [.ada], key: "k"))
            try await fixture.add(2, to: .ada)
            _ = try await fixture.store.retract("k", StoreFixture.catalogs(Self.yaml))
            try await expect("2 things", rev: 3, fixture)
        }
    }

    @Test func `a notification that changed while a device had no permission is pushed as it is`() async throws {
        try await withPhone { fixture in
            try await fixture.add(1, to: .ada)
            try await fixture.store.register(.phone(.denied), for: .ada)
            try await fixture.add(1, to: .ada)
            try await fixture.store.register(.phone(.granted), for: .ada)
            try await expect("2 things", rev: 2, fixture)
        }
    }

    @Test func `people for whom the same event was not changed get their push as before`() async throws {
        try await withPhone { fixture in
            try await fixture.store.register(.phone(token: "token-b"), for: .bob)
            _ = try await fixture.publish(fixture.entry("said", to: [.ada, .bob]))
            try await patch(fixture, "SAID")
            let jobs = try await fixture.store.leasePushJobs(at: .at(9)).jobs
            #expect(jobs.map(\.body) == ["hi", "hi"])
            #expect(Set(jobs.map { "\($0.user.name) \($0.message.rev)" }) == ["ada 2", "bob 1"])
        }
    }

    @Test func `a push of several says the words of the newest of it`() async throws {
        try await withPhone { fixture in
            for second in [Int64(0), 1, 2] { try await fixture.publish("upvoted", "up", to: .ada, at: .at(second)) }
            try await fixture.store.settle(try await fixture.job(at: .at(3)), as: .finish)
            try await patch(fixture, "UPVOTED")
            let job = try await fixture.job(at: .at(3_600))
            #expect((job.body, job.message.rev) == ("2 upvotes", 2))
        }
    }

    @Test func `a job of an earlier version does not know, and leaves nevertheless, after a restart, too`() async throws
    {
        for isEarlier in [true, false] {
            let before = try StoreFixture()
            try await before.store.register(.phone(), for: .ada)
            try await before.add(1, to: .ada)
            try await before.add(1, to: .ada)
            try await before.publish("shouted", "hi", to: .ada, at: .at(1))
            await before.store.close()
            if isEarlier {
                let database = try DatabaseQueue(path: before.folder + "/belfry.sqlite")
                try await database.write { try $0.execute(sql: "UPDATE push_job SET content = NULL") }
                try database.close()
            }
            let fixture = try StoreFixture(folder: before.folder)
            for (body, rev) in [("2 things", Int64(2)), ("hi", 1)] {
                let job = try await fixture.job(at: .at(9))
                #expect((job.body, job.message.rev) == (body, rev))
                try await fixture.store.settle(job, as: .finish, at: .at(9))
            }
            await fixture.remove()
        }
    }

    // MARK: What has gone

    enum Removal: CaseIterable {
        case removed, retracted, aged, beyondMaximum, erased, deviceGone

        func perform(on fixture: StoreFixture) async throws {
            switch self {
            case .removed: try await fixture.store.apply(.remove(.upTo(.max)), for: .ada)
            case .retracted:
                for key in ["1", "2", "3"] { _ = try await fixture.store.retract(key, StoreFixture.catalogs()) }
            case .aged: try await fixture.store.trimInboxes(olderThan: .at(1))
            case .beyondMaximum:
                try await fixture.store.trimInboxes(olderThan: nil)
                #expect(try await fixture.store.state(of: .ada).total == 1)
                #expect(try await fixture.statistics().pushJobs == 1)
                try await fixture.store.apply(.remove(.upTo(.max)), for: .ada)
            case .erased: try await fixture.store.erase(.ada)
            case .deviceGone:
                _ = try await fixture.store.unregister("phone", of: .ada)
                try await fixture.store.apply(.remove(.upTo(.max)), for: .ada)
            }
        }
    }

    @Test(arguments: Removal.allCases)
    func `nobody is sent what another notification says whose content has the row of one that went`(
        _ removal: Removal
    ) async throws {
        let before = try StoreFixture()
        for user in [UserID.ada, .bob] {
            try await before.store.register(.phone(token: user.name), for: user)
        }
        for key in ["1", "2", "3"] {
            _ = try await before.publish(before.entry("shouted", "to ada", to: [.ada], key: key))
        }
        let rows = try await before.rows("SELECT id FROM content")
        let limited = try await before.reopened { $0.maximumRows = 1 }
        try await removal.perform(on: limited)
        #expect(try await limited.statistics().pushJobs == 0)
        let fixture = try await limited.reopened()
        for _ in rows { try await fixture.publish("shouted", "to bob", to: .bob, at: .at(0)) }
        // The next contents have the rows of the deleted ones.
        #expect(try await fixture.rows("SELECT id FROM content") == rows)
        for _ in rows {
            let job = try await fixture.job(at: .at(9))
            #expect((job.user, job.body) == (.bob, "to bob"))
            try await fixture.store.settle(job, as: .finish, at: .at(9))
        }
        #expect(try await fixture.store.leasePushJobs(at: .at(9)).jobs.isEmpty)
        await fixture.remove()
    }

    @Test func `an inbox that goes beyond its maximum with what comes sends nothing of what went`() async throws {
        try await withStore {
            $0.maximumRows = 1
        } _: { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let entries = try (1...3).map { try fixture.entry("shouted", "\($0)", to: [.ada]) }
            _ = try await fixture.publish(entries[0], entries[1], entries[2])
            #expect(try await fixture.texts(of: .ada) == ["3"])
            #expect(try await fixture.job(at: .at(9)).body == "3")
        }
    }
}

extension Device {
    fileprivate static func phone(_ permission: Permission?) -> Device {
        Device(id: "phone", provider: .apns, token: "token-1", permission: permission, registeredAt: .at(0))
    }
}

extension StoreFixture {
    /// The numbers in the only column of these rows.
    fileprivate func rows(_ sql: String) async throws -> [Int64?] {
        try await withCheckedThrowingContinuation { waiting in
            sqlite.readDatabase({ waiting.resume(with: $0) }) { db in try Int64?.fetchAll(db, sql: sql) }
        }
    }
}
