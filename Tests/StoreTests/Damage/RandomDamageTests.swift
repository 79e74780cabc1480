import Foundation
import GRDB
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Support
import Testing

/// Bits flipped anywhere in what is stored of one person, one feed and one event: all others must not notice.
struct RandomDamageTests {
    /// A column, and a condition for the rows of the person to be harmed.
    private struct Column {
        let table: String
        let name: String
        let condition: String
    }

    private static func columns(_ table: String, _ names: String, where condition: String) -> [Column] {
        names.split(separator: " ").map { Column(table: table, name: String($0), condition: condition) }
    }

    private static let columns: [Column] =
        columns(
            "content", "type text body batch push group_name group_text",
            where: "id IN (SELECT content FROM notification WHERE inbox = 1)")
        + columns(
            "notification",
            "content created_at rev seq is_read is_seen unread_after unseen_after fresh fresh_from batch_key stored_at",
            where: "inbox = 1")
        + columns("change", "kind reference ids unread unseen delta", where: "inbox = 1")
        + columns(
            "inbox", "epoch seq unread unseen total devices settings profile device_locale device_zone", where: "id = 1"
        )
        + columns(
            "device", "provider token platform permission registered_at last_seen_at registrar locale", where: "row = 1"
        )
        + columns(
            "push_job", "is_fallback failures expiry fold_key collapse seq deadline content is_shown held_from",
            where: "number >> 34 = 1")
        + columns("push_mark", "marks", where: "device = 1")
        + columns("feed_item", "published_at author other other_at json", where: "feed = 1")
        + columns("feed_change", "published_at is_removal item_id tags", where: "feed = 1")
        + columns("feed", "epoch trimmed", where: "id = 1")
        + columns(
            "trail_event", "type actor occurred_at accepted_at verdicts data repeats repeated_at",
            where: "event = (SELECT min(event) FROM trail_event)")
        + columns("trail_step", "at kind detail place provider device", where: "inbox = 1")

    private static func prepare(_ fixture: StoreFixture) async throws {
        let store = fixture.store
        // The person to be harmed comes first, and so has the first inbox, device and event.
        try await fixture.say("hurt", to: .ada)
        for (place, user) in [UserID.ada, .bob, .cleo].enumerated() {
            try await store.write(UserProfile(json: ["locale": "de"]), of: user)
            try await store.register(.phone(token: "token-\(place)"), for: user)
            for text in ["one", "two", "three"] { try await fixture.say(text, to: user) }
            try await fixture.add(2, to: user)
            let ids = try await fixture.ids(of: user)
            try await store.apply(.read(.ids([try #require(ids.last)])), for: user)
            let job = try #require(try await store.leasePushJobs(1, at: .at(10)).jobs.first)
            try await store.settle(job, as: .finish, at: .at(10))
        }
        for feed in ["hurt", "posts"] {
            for number in 1...4 {
                let item = FeedItem(
                    feed: feed, json: Array("{\"n\":\(number)}".utf8), publishedAt: .at(0), id: "\(number)", tags: ["t"]
                )
                try await store.append([item], to: feed, at: .at(0))
            }
        }
        try await store.replaceMembers(of: "room", with: [.ada, .bob, .cleo])
    }

    /// Flips a bit of one value; nothing where there is none.
    private static func flip(_ column: Column, _ db: Database, _ random: inout SeededRandom) throws {
        let key = Self.keys[column.table] ?? "rowid"
        let rows = try Row.fetchAll(
            db,
            sql: """
                SELECT \(key) AS key, typeof(\(column.name)) AS type, \(column.name) AS value FROM \(column.table)
                WHERE (\(column.condition)) AND \(column.name) IS NOT NULL
                """)
        guard !rows.isEmpty else { return }
        let row = rows[random.next(below: rows.count)]
        let write = "UPDATE \(column.table) SET \(column.name) ="
        let same = "WHERE (\(column.condition)) AND \(key) = ?"
        let rowKey: DatabaseValue = row["key"]
        if row["type"] == "integer" {
            let value: Int64 = row["value"]
            try db.execute(
                sql: "\(write) ? \(same)", arguments: [value ^ (1 << Int64(random.next(below: 64))), rowKey])
        } else {
            let text = "SELECT CAST(\(column.name) AS BLOB) FROM \(column.table) \(same)"
            guard var bytes = try Data.fetchOne(db, sql: text, arguments: [rowKey]), !bytes.isEmpty else { return }
            bytes[random.next(below: bytes.count)] ^= 1 << UInt8(random.next(below: 8))
            let value = row["type"] == "text" ? "CAST(? AS TEXT)" : "?"
            try db.execute(sql: "\(write) \(value) \(same)", arguments: [bytes, rowKey])
        }
    }

    /// Of tables without numbers of their own: what tells their rows apart within the condition.
    private static let keys = [
        "notification": "id", "change": "seq", "feed_item": "offset", "feed_change": "offset", "trail_event": "page",
    ]

    /// An app's and a backend's view of a person.
    private struct View: Equatable {
        let texts: [String]
        let groups: Int
        let replayed: Int?
        let devices: [String]
        let profile: JSONValue?
        let decisions: Int?
        let isMember: Bool

        init(of user: UserID, in store: any Store) async throws {
            let page = try await store.page(of: user)
            for notification in page.notifications { try Self.check(notification) }
            texts = page.texts
            groups = try await store.groups(of: user).groups.count
            let recovery = try await store.recover(user, from: InboxPosition(epoch: page.state.epoch, seq: 0))
            switch recovery.result {
            case .changes(let changes): replayed = changes.count
            case .reset(let notifications):
                replayed = nil
                for notification in notifications { try Self.check(notification) }
            }
            devices = try await store.devices(of: user).map(\.id)
            _ = try await store.settings(of: user)
            profile = try await store.profile(of: user).map { .object($0.json) }
            decisions = try await store.trail(of: user)?.entries.flatMap(\.decisions).count
            isMember = try await store.members(of: "room")?.members.contains(user) ?? false
        }

        /// A notification's frames and answers are JSON.
        private static func check(_ notification: Inbox.Notification) throws {
            var json = JSONWriter(capacity: 256)
            notification.write(to: &json)
            _ = try JSONValue(parsing: json.bytes)
        }
    }

    @Test(arguments: Seeds.some(8, of: 40))
    func `people whose rows are whole never notice the damage`(_ seed: UInt64) async throws {
        let sound = try StoreFixture()
        try await Self.prepare(sound)
        let before = [try await View(of: .bob, in: sound.store), try await View(of: .cleo, in: sound.store)]
        let items = try await sound.store.items(of: "posts", .newest).items.map(\.json)
        await sound.store.close()
        let database = try DatabaseQueue(path: sound.folder + "/belfry.sqlite")
        try await database.write { db in
            var random = SeededRandom(seed: seed)
            for _ in 0..<8 {
                try Self.flip(Self.columns[random.next(below: Self.columns.count)], db, &random)
            }
        }
        try database.close()
        let fixture = try StoreFixture(folder: sound.folder)
        let result: Result<Void, any Error>
        do { result = .success(try await check(fixture, before, items)) } catch { result = .failure(error) }
        await fixture.remove()
        try result.get()
    }

    private func check(_ fixture: StoreFixture, _ before: [View], _ items: [[UInt8]]) async throws {
        let store = fixture.store
        _ = try await View(of: .ada, in: store)
        for user in [UserID.bob, .cleo] {
            let after = try await View(of: user, in: store)
            #expect(after == before[user == .bob ? 0 : 1])
        }
        #expect(try await store.items(of: "posts", .newest).items.map(\.json) == items)
        for item in try await store.items(of: "hurt", .newest, tags: ["t"]).items {
            #expect(throws: Never.self) { try JSONValue(parsing: item.json) }
        }
        let jobs = try await store.leasePushJobs(at: .at(60)).jobs
        #expect(Set(jobs.map(\.user)).isSuperset(of: [.bob, .cleo]))
        try await fixture.say("new", to: .ada, .bob, .cleo)
        for user in [UserID.bob, .cleo] { #expect(try await fixture.texts(of: user).first == "new") }
        try await store.apply(.read(.upTo(99)), for: .bob)
        #expect(try await store.state(of: .bob).unread == 0)
        _ = try await fixture.statistics()
        #expect(!store.isDamaged)
    }
}
