import Foundation
import GRDB
import Inbox
import JSON
import Push
import Support
import Testing

@testable import SQLiteStore
@testable import Store

/// The effect of damaged trail rows on events that are taken back, changed, published again and explained.
struct DamagedTrailTests {
    private static let yaml = """
        catalog: tests
        actor: [id, username]
        events:
          said: {routes: [{to: people, type: SAID}]}
          added: {routes: [{to: people, type: ADDED}]}
        types:
          SAID: {text: "{{text}}", fields: {zeal: {value: text}}, push: {when: always, title: Said, body: "{{text}}"}}
          ADDED:
            text: "{{actor}} added {{things}}"
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
        """

    /// Ways in which a row cannot be read.
    static let damages = [
        "verdicts = x'FF'", "verdicts = CAST(substr(verdicts, 1, length(verdicts) - 1) AS BLOB)", "verdicts = x'0102'",
        "verdicts = CAST(verdicts || x'FF' AS BLOB)", "data = x'7B'", "retracted = -1",
        "retracted = 9223372036854775807", "occurred_at = 9223372036854775807",
        "accepted_at = -9223372036854775808, occurred_at = NULL", "type = CAST(x'53FF' AS TEXT)",
    ]

    /// The last verdict's list of recipients, cut in the middle of a number.
    private static let cutList = "verdicts = CAST(substr(verdicts, 1, length(verdicts) - 1) || x'80' AS BLOB)"

    private static func publish(_ fixture: StoreFixture) async throws {
        try await fixture.store.register(.phone(), for: .ada)
        for key in ["hurt", "sound"] {
            _ = try await fixture.event("said", key, to: .ada, .bob, key: key)
            _ = try await fixture.event("added", to: .ada, key: "batch-\(key)")
        }
    }

    private func catalogs() throws -> CatalogSet { try StoreFixture.catalogs(Self.yaml) }

    @Test(arguments: damages + [cutList])
    func `a damaged event cannot be taken back, is told by its row, and harms no other`(_ damage: String) async throws {
        let events = "SELECT event FROM trail_event WHERE key = 'hurt'"
        try await Damage(
            "UPDATE trail_event SET \(damage) WHERE key = 'hurt'", yaml: Self.yaml, before: Self.publish
        ).meet { fixture, told in
            for _ in 0..<2 {
                let retraction = try #require(try await fixture.store.retract("hurt", catalogs()))
                #expect((retraction.removed, retraction.updated, retraction.pushesCancelled) == (0, 0, 0))
            }
            let name = try #require(try await fixture.names(events).first)
            #expect(told.rows == [DamagedRow(table: "trail_event", key: name)])
            #expect(fixture.store.damagedRows == 1)
            // Its notifications stay, and others can be taken back.
            #expect(try await fixture.texts(of: .ada) == ["sound", "renee added 2 things", "hurt"])
            #expect(try await fixture.store.retract("sound", catalogs())?.removed == 2)
            #expect(try await fixture.store.retract("batch-sound", catalogs())?.updated == 1)
            #expect(try await fixture.texts(of: .ada) == ["renee added one thing", "hurt"])
            // The key is free, and what comes under it is sound.
            let again = try fixture.entry("said", "again", to: [.ada], key: "hurt")
            #expect(try await fixture.publish(again, at: .at(1)).map(\.isReplay) == [false])
            #expect(try await fixture.store.retract("hurt", catalogs(), at: .at(2))?.removed == 1)
            #expect(try await fixture.texts(of: .ada) == ["renee added one thing", "hurt"])
            #expect(fixture.store.damagedRows == 1)
        }
    }

    @Test func `of an event's pages those that can be read are taken back`() async throws {
        try await Damage(
            "UPDATE trail_event SET verdicts = x'FF' WHERE page = 1",
            before: { fixture in
                let entry = try fixture.entry("said", to: (0..<1_500).map { .user("user-\($0)") }, key: "k")
                _ = try await fixture.publish(entry)
                try await fixture.store.deliverAll(of: entry.id, by: fixture.catalog)
            }
        ).meet { fixture, told in
            let pages = try await fixture.names("SELECT page FROM trail_event ORDER BY page").count
            let retraction = try #require(try await fixture.store.retract("k", StoreFixture.catalogs()))
            #expect(pages > 2 && retraction.removed > 0 && retraction.removed < 1_500)
            #expect(told.rows.map(\.table) == ["trail_event"])
            let again = try fixture.entry("said", to: [.ada], key: "k")
            #expect(try await fixture.publish(again, at: .at(1)).map(\.isReplay) == [false])
        }
    }

    @Test(arguments: damages + [cutList])
    func `a damaged event cannot be changed by its key, and others can`(_ damage: String) async throws {
        try await Damage(
            "UPDATE trail_event SET \(damage) WHERE key = 'hurt'", yaml: Self.yaml, before: Self.publish
        ).meet { fixture, told in
            for (key, count) in [("hurt", 0), ("sound", 1)] {
                let patch = NotificationPatch(
                    user: .ada, type: "SAID", actor: nil, key: key, publisher: "backend", fields: ["zeal": "new"],
                    now: .at(1))
                let changed = try await fixture.store.patch(patch)
                #expect(changed == count)
            }
            #expect(told.rows.map(\.table) == ["trail_event"])
        }
    }

    @Test(arguments: ["content SET actor = CAST(x'FF' AS TEXT)", "notification SET content = 77"])
    func `a change leaves out notifications that cannot be read`(_ damage: String) async throws {
        try await Damage(
            "UPDATE \(damage) WHERE id = 1", yaml: Self.yaml, before: Self.publish
        ).meet { fixture, _ in
            for (key, actor) in [("hurt", nil), ("hurt", "renee"), ("sound", "renee")] as [(String, String?)] {
                let patch = NotificationPatch(
                    user: .ada, type: "SAID", actor: actor, key: key, publisher: "backend", fields: ["zeal": "new"],
                    now: .at(1))
                let count = try await fixture.store.patch(patch)
                if key == "sound" { #expect(count == 1) }
            }
        }
    }

    @Test func `a list of recipients that cannot be read is in no trail, and told by its row`() async throws {
        try await Damage(
            "UPDATE trail_event SET \(Self.cutList) WHERE key = 'hurt'", yaml: Self.yaml, before: Self.publish
        ).meet { fixture, told in
            let name = try #require(try await fixture.names("SELECT event FROM trail_event WHERE key = 'hurt'").first)
            #expect(try await fixture.store.trail(of: TrailQuery(.id(name))) == nil)
            #expect(try await fixture.store.trail(of: TrailQuery(.key("hurt", publisher: "backend"))) == nil)
            #expect(try await fixture.store.trail(of: .ada)?.entries.count == 3)
            #expect(told.rows == [DamagedRow(table: "trail_event", key: name)])
        }
    }

    @Test func `an event whose stored answer is damaged is not delivered once more`() async throws {
        try await Damage(
            "UPDATE trail_event SET created = -7, updated = 9223372036854775807 WHERE key = 'hurt'", yaml: Self.yaml,
            before: Self.publish
        ).meet { fixture, told in
            let again = try fixture.entry("said", "hurt", to: [.ada, .bob], key: "hurt")
            #expect(try await fixture.publish(again).map(\.isReplay) == [true])
            #expect(try await fixture.texts(of: .ada).filter { $0 == "hurt" }.count == 1)
            #expect(told.rows.map(\.table) == ["trail_event"])
        }
    }

    @Test(arguments: ["start = 9223372036854775807", "start = -9223372036854775808", "count = -1"])
    func `an hour of pushes that is damaged begins anew`(_ damage: String) async throws {
        try await Damage(
            "UPDATE push_pace SET \(damage)",
            before: { fixture in
                try await fixture.store.register(.phone(), for: .ada)
                try await fixture.publish("upvoted", "one", to: .ada, at: .at(0))
            }
        ).meet { fixture, told in
            try await fixture.publish("upvoted", "two", to: .ada, at: .at(1))
            #expect(try await fixture.texts(of: .ada) == ["two", "one"])
            #expect(told.rows.map(\.table) == ["push_pace"])
        }
    }

    // MARK: By chance

    @Test(arguments: Seeds.some(6, of: 30))
    func `bits flipped in one event's rows never reach another one's`(_ seed: UInt64) async throws {
        let sound = try StoreFixture(yaml: Self.yaml)
        try await Self.publish(sound)
        await sound.store.close()
        let database = try DatabaseQueue(path: sound.folder + "/belfry.sqlite")
        try await database.write { db in
            var random = SeededRandom(seed: seed)
            let columns = "page type actor occurred_at accepted_at verdicts data repeats retracted fingerprint created"
                .split(separator: " ").map(String.init)
            for _ in 0..<3 {
                let column = columns[random.next(below: columns.count)]
                let key = ["hurt", "batch-hurt"][random.next(below: 2)]
                try Self.flip(column, ofEvent: key, db, &random)
            }
        }
        try database.close()
        let fixture = try StoreFixture(folder: sound.folder, yaml: Self.yaml)
        let result: Result<Void, any Error>
        do { result = .success(try await takeBack(fixture)) } catch { result = .failure(error) }
        await fixture.remove()
        try result.get()
    }

    private static func flip(
        _ column: String, ofEvent key: String, _ db: Database, _ random: inout SeededRandom
    ) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT \(column) AS value FROM trail_event WHERE key = ?", arguments: [key])
        guard let value: DatabaseValue = row?["value"] else { return }
        let write = "UPDATE trail_event SET \(column) ="
        switch value.storage {
        case .int64(let number):
            let flipped = number ^ (1 << Int64(random.next(below: 64)))
            try db.execute(sql: "\(write) ? WHERE key = ?", arguments: [flipped, key])
        case .blob(var bytes) where !bytes.isEmpty:
            bytes[random.next(below: bytes.count)] ^= 1 << UInt8(random.next(below: 8))
            try db.execute(sql: "\(write) ? WHERE key = ?", arguments: [bytes, key])
        case .string, .blob, .null, .double: break
        }
    }

    private func takeBack(_ fixture: StoreFixture) async throws {
        let store = fixture.store
        for key in ["hurt", "batch-hurt"] {
            _ = try await store.trail(of: TrailQuery(.key(key, publisher: "backend")))
            _ = try await store.patch(
                NotificationPatch(
                    user: .ada, type: "SAID", actor: nil, key: key, publisher: "backend", fields: ["zeal": "new"],
                    now: .at(1)))
            _ = try await store.retract(key, catalogs(), at: .at(1))
        }
        #expect(try await store.retract("sound", catalogs(), at: .at(1))?.removed == 2)
        _ = try await store.retract("batch-sound", catalogs(), at: .at(1))
        try await fixture.say("new", to: .ada, .bob, at: .at(2))
        #expect(try await fixture.texts(of: .bob).first == "new")
        _ = try await store.sweepTrail(at: .at(100 * 24 * 3_600))
        #expect(!store.isDamaged)
    }
}

extension StoreFixture {
    /// The first column of what a query finds, in words.
    fileprivate func names(_ sql: String) async throws -> [String] {
        try await withCheckedThrowingContinuation { waiting in
            sqlite.readDatabase({ waiting.resume(with: $0) }) { db in try String.fetchAll(db, sql: sql) }
        }
    }
}
