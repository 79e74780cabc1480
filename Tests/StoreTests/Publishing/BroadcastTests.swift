import Deliveries
import GRDB
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Support
import Testing

struct BroadcastTests {
    private static func small(_ options: inout SQLiteStoreOptions) { options.recipientsPerPage = 3 }

    private static func users(_ count: Int) -> [UserID] { (0..<count).map { .user("user-\($0)") } }

    private static func said(
        to list: Event.RecipientList..., key: String? = nil, actor: String = "renee"
    ) -> Event {
        Event(type: "said", key: key, actor: ["id": .string(actor)], to: list, data: ["text": "hi"])
    }

    @Test func `an event for more people than a page reaches them page by page`() async throws {
        try await withStore(Self.small) { fixture in
            let users = Self.users(8)
            let event = Self.said(to: .init(name: "people", users: users), actor: "user-4")
            let outcome = try #require(try await fixture.publish(fixture.entry(event)).first)
            let accepted = try #require(outcome.broadcast)
            #expect(accepted.state == .working)
            #expect(accepted.total == 8)
            #expect(outcome.recipients == 0)
            #expect(fixture.commits.isEmpty)
            let first = try #require(try await fixture.store.deliverPage(of: outcome.event, by: fixture.catalog))
            #expect((first.state, first.created, first.suppressed) == (.working, 3, 1))
            #expect(try await fixture.store.openBroadcasts() == [outcome.event])
            #expect(try await fixture.store.deliverAll(of: outcome.event, by: fixture.catalog) == 2)
            let last = try #require(try await fixture.store.broadcast(of: outcome.event))
            #expect((last.state, last.created, last.suppressed, last.total) == (.done, 7, 1, 8))
            #expect(try await fixture.store.openBroadcasts() == [])
            for user in users {
                #expect(try await fixture.texts(of: user) == (user == .user("user-4") ? [] : ["hi"]))
            }
            // An ended broadcast is left as it is.
            let again = try await fixture.store.deliverPage(of: outcome.event, by: fixture.catalog)
            #expect(again == last)
            #expect(try await fixture.statistics().notifications == 7)
        }
    }

    @Test func `an event for as many people as a page reaches them at once`() async throws {
        try await withStore(Self.small) { fixture in
            let event = Self.said(to: .init(name: "people", users: Self.users(3)))
            let outcome = try #require(try await fixture.publish(fixture.entry(event)).first)
            #expect(outcome.broadcast == nil)
            #expect(outcome.created == 3)
            #expect(try await fixture.store.broadcast(of: outcome.event) == nil)
        }
    }

    @Test func `many events of one publication for topics do not hold up all others`() async throws {
        let configure: StoreFixture.Configuration = { $0.rowsPerCommit = 20 }
        try await withStore(configure) { fixture in
            let users = Self.users(15)
            try await fixture.store.replaceMembers(of: "room", with: users)
            let entries = try (1...5).map { number in
                try fixture.entry(
                    Event(
                        type: "said", to: [.init(name: "people", topics: ["room"])],
                        data: ["text": .string("\(number)")]))
            }
            let outcomes = try await fixture.store.publish(Publication(publisher: "b", entries: entries, now: .at(0)))
            #expect(outcomes.map(\.created) == [15, 15, 0, 0, 0])
            #expect(try await fixture.store.openBroadcasts() == outcomes.suffix(3).map(\.event))
            for outcome in outcomes.suffix(3) {
                let broadcast = try await fixture.store.deliverPage(of: outcome.event, by: fixture.catalog)
                #expect((broadcast?.state, broadcast?.created) == (.done, 15))
            }
            for user in users { #expect(try await fixture.texts(of: user) == ["5", "4", "3", "2", "1"]) }
        }
    }

    @Test func `everybody is who had an inbox when the event came, each as what they are first`() async throws {
        try await withStore(Self.small) { fixture in
            for user in Self.users(10) { try await fixture.say("before", to: user) }
            let event = Event(
                type: "added", actor: ["id": "user-2", "username": "two"],
                to: [
                    .init(name: "people", users: [.user("user-5"), .ada]), .init(name: "others", isEverybody: true),
                    .init(name: "strangers", users: [.user("user-9")]),
                ],
                data: ["text": "hi", "things": [1]])
            let outcome = try #require(try await fixture.publish(fixture.entry(event)).first)
            #expect(outcome.broadcast?.isForEverybody == true)
            // Somebody new does not hear of what was said before they came.
            try await fixture.say("late", to: .bob)
            try await fixture.store.deliverAll(of: outcome.event, by: fixture.catalog)
            let ended = try #require(try await fixture.store.broadcast(of: outcome.event))
            #expect((ended.state, ended.created, ended.suppressed) == (.done, 10, 1))
            #expect(try await fixture.texts(of: .ada) == ["two added one thing"])
            #expect(try await fixture.texts(of: .user("user-5")) == ["two added one thing", "before"])
            #expect(try await fixture.texts(of: .user("user-2")) == ["before"])
            #expect(try await fixture.texts(of: .user("user-7")) == ["hi", "before"])
            #expect(try await fixture.texts(of: .user("user-9")) == ["hi", "before"])
            #expect(try await fixture.texts(of: .bob) == ["late"])
        }
    }

    @Test(arguments: 0...4)
    func `a store that is opened again goes on behind the last page`(_ pages: Int) async throws {
        let fixture = try StoreFixture(Self.small)
        let users = Self.users(11)
        let event = Self.said(to: .init(name: "people", users: users), key: "k")
        let id = try #require(try await fixture.publish(fixture.entry(event)).first).event
        for _ in 0..<pages { try await fixture.store.deliverPage(of: id, by: fixture.catalog) }
        let again = try await fixture.reopened(Self.small)
        #expect(try await again.store.openBroadcasts() == (pages < 4 ? [id] : []))
        try await again.store.deliverAll(of: id, by: again.catalog)
        for user in users { #expect(try await again.texts(of: user) == ["hi"]) }
        #expect(try await again.store.broadcast(of: id)?.created == 11)
        await again.remove()
    }

    @Test func `a repeated publish is told how far the first one has come, and in the end its counts`() async throws {
        try await withStore(Self.small) { fixture in
            let event = Self.said(to: .init(name: "people", users: Self.users(5)), key: "k")
            let first = try #require(try await fixture.publish(fixture.entry(event)).first)
            try await fixture.store.deliverPage(of: first.event, by: fixture.catalog)
            let during = try #require(try await fixture.publish(fixture.entry(event)).first)
            #expect(during.isReplay)
            #expect(during.event == first.event)
            #expect((during.created, during.broadcast?.state) == (3, .working))
            try await fixture.store.deliverAll(of: first.event, by: fixture.catalog)
            let after = try #require(try await fixture.publish(fixture.entry(event)).first)
            #expect((after.event, after.created, after.isReplay) == (first.event, 5, true))
            #expect(after.broadcast?.state == .done)
            // When the event itself is forgotten, the key still has the counts.
            let late = Timestamp.at(23 * 3_600)
            let last = try #require(try await fixture.publish(fixture.entry(event), at: late).first)
            #expect(last.created == 5)
            #expect(try await fixture.statistics().notifications == 5)
        }
    }

    @Test func `a person's own data stay theirs on the way`() async throws {
        let yaml = """
            catalog: tests
            events: {matched: {routes: [{to: matched, type: MATCHED}]}}
            types: {MATCHED: {text: "{{query}} matched"}}
            """
        try await withStore(yaml: yaml, Self.small) { fixture in
            let users = Self.users(7)
            var list = Event.RecipientList(name: "matched", users: users)
            for (index, user) in users.enumerated() where index.isMultiple(of: 2) {
                list.own[user] = ["query": .string("query \(index)")]
            }
            let event = Event(type: "matched", to: [list], data: ["query": "none"])
            let id = try #require(try await fixture.publish(fixture.entry(event)).first).event
            try await fixture.store.deliverAll(of: id, by: fixture.catalog)
            for (index, user) in users.enumerated() {
                let query = index.isMultiple(of: 2) ? "query \(index)" : "none"
                #expect(try await fixture.texts(of: user) == ["\(query) matched"])
            }
        }
    }

    @Test func `an event for several lists reaches all of them, whichever of its people have inboxes`() async throws {
        try await withStore(Self.small) { fixture in
            let users = Self.users(6)
            for user in users { try await fixture.say("before", to: user) }
            let (people, others) = ([0, 2, 3, 4, 5].map { users[$0] }, [users[1]])
            let event = Event(
                type: "added", actor: ["id": "renee", "username": "renee"],
                to: [.init(name: "others", users: others), .init(name: "people", users: people)],
                data: ["text": "for another", "things": [["kind": "one"]]])
            let outcome = try #require(try await fixture.publish(fixture.entry(event)).first)
            try await fixture.store.deliverAll(of: outcome.event, by: fixture.catalog)
            let broadcast = try #require(try await fixture.store.broadcast(of: outcome.event))
            #expect((broadcast.state, broadcast.created) == (.done, 6))
            for user in users {
                let text = others.contains(user) ? "for another" : "renee added one thing"
                #expect(try await fixture.texts(of: user) == [text, "before"])
            }
        }
    }

    @Test func `an event that an earlier version has kept is read by its own rules`() async throws {
        try await withStore(Self.small) { fixture in
            let event = Self.said(to: .init(name: "people", users: Self.users(4)))
            let outcome = try #require(try await fixture.publish(fixture.entry(event)).first)
            let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            try await database.write { db in
                try db.execute(
                    sql: """
                        UPDATE broadcast SET json = CAST(
                            json_set(CAST(json AS TEXT), '$.occurredAt', '2999-01-01T00:00:00.000Z') AS BLOB);
                        UPDATE broadcast_page SET recipients = CAST(
                            '{"people":["user-0"],"x":[],"people":["user-1","user-2"]}' AS BLOB)
                            WHERE id = (SELECT min(id) FROM broadcast_page);
                        """)
            }
            try database.close()
            try await fixture.store.deliverAll(of: outcome.event, by: fixture.catalog)
            #expect(try await fixture.store.broadcast(of: outcome.event)?.state == .done)
            for user in Self.users(4) { #expect(try await fixture.texts(of: user) == ["hi"]) }
        }
    }

    @Test func `an unreadable part of an event ends it, and says so`() async throws {
        for damage in ["broadcast SET json = x'5B'", "broadcast_page SET recipients = x'5B5D'"] {
            try await withStore(Self.small) { fixture in
                let event = Self.said(to: .init(name: "people", users: Self.users(4)))
                let outcome = try #require(try await fixture.publish(fixture.entry(event)).first)
                let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
                try await database.write { db in try db.execute(sql: "UPDATE \(damage)") }
                try database.close()
                let end = try await fixture.store.deliverPage(of: outcome.event, by: fixture.catalog)
                #expect(end?.state == .abandoned("what was stored of it cannot be read"))
                #expect(try await fixture.store.openBroadcasts() == [])
            }
        }
    }

    @Test func `an event that the catalogs of the day refuse ends where it is, and says why`() async throws {
        try await withStore(Self.small) { fixture in
            let event = Self.said(to: .init(name: "people", users: Self.users(5)), key: "k")
            let id = try #require(try await fixture.publish(fixture.entry(event)).first).event
            try await fixture.store.deliverPage(of: id, by: fixture.catalog)
            let other = try Catalog(
                yaml: "{catalog: other, events: {hummed: {routes: [{to: p, type: H}]}}, types: {H: {text: hm}}}",
                file: "other.yaml")
            let ended = try #require(try await fixture.store.deliverPage(of: id, by: other, at: .at(60)))
            guard case .abandoned(let reason) = ended.state else { return #expect(Bool(false), "it goes on") }
            #expect(reason.contains("unknown_event_type"))
            #expect((ended.created, ended.total, ended.endedAt) == (3, 5, .at(60)))
            #expect(try await fixture.store.broadcast(of: id)?.state == ended.state)
            #expect(try await fixture.store.openBroadcasts() == [])
        }
    }

    @Test func `a route that is gone leaves its people out`() async throws {
        try await withStore(Self.small) { fixture in
            let event = Event(
                type: "added", actor: ["id": "renee", "username": "renee"],
                to: [.init(name: "people", users: Self.users(4)), .init(name: "others", users: [.ada, .bob])],
                data: ["text": "hi", "things": [1]])
            let id = try #require(try await fixture.publish(fixture.entry(event)).first).event
            let changed = try Catalog(
                yaml: StoreFixture.yaml.replacing(", {to: others, type: NOTED}", with: ""), file: "tests.yaml")
            try await fixture.store.deliverAll(of: id, by: changed)
            let ended = try #require(try await fixture.store.broadcast(of: id))
            #expect((ended.state, ended.created, ended.suppressed) == (.done, 4, 2))
            #expect(try await fixture.texts(of: .ada) == [])
        }
    }

    @Test func `counts of an event for many are kept for as long as its key`() async throws {
        try await withStore(Self.small) { fixture in
            let event = Self.said(to: .init(name: "people", users: Self.users(5)), key: "k")
            let id = try #require(try await fixture.publish(fixture.entry(event)).first).event
            try await fixture.store.deliverAll(of: id, by: fixture.catalog)
            try await fixture.say("later", to: .ada, at: .at(25 * 3_600))
            #expect(try await fixture.store.broadcast(of: id) == nil)
        }
    }

    @Test(arguments: Seeds.some(2, of: 6))
    func `pages, other traffic and breaks give the same inboxes as one plain delivery`(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        var fixture = try StoreFixture { $0.recipientsPerPage = 4 }
        let users = Self.users(20)
        var expected: [UserID: [String]] = [:]
        for user in users.prefix(15) {
            try await fixture.say("old", to: user)
            expected[user] = ["old"]
        }
        let named = users.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
        let actor = users[Int.random(in: 0..<20, using: &random)]
        let event = Self.said(
            to: .init(name: "people", users: named), .init(name: "everybody", isEverybody: true),
            actor: actor.key)
        let catalog = try Catalog(
            yaml: StoreFixture.yaml.replacing(
                "said: {routes: [{to: people, type: SAID}]}",
                with: "said: {routes: [{to: people, type: SAID}, {to: everybody, type: NOTED}]}"), file: "tests.yaml")
        let entry = Publication.Entry(routed: try catalog.route(event), id: "many", fingerprint: 1)
        _ = try await fixture.publish(entry)
        for user in Set(named).union(users.prefix(15)) where user != actor { expected[user, default: []].append("hi") }
        for _ in 0..<1_000 where try await fixture.store.broadcast(of: "many")?.state == .working {
            switch Int.random(in: 0..<4, using: &random) {
            case 0: fixture = try await fixture.reopened { $0.recipientsPerPage = 4 }
            case 1:
                let user = users[Int.random(in: 0..<20, using: &random)]
                try await fixture.say("between", to: user)
                expected[user, default: []].append("between")
            default: try await fixture.store.deliverPage(of: "many", by: catalog)
            }
        }
        #expect(try await fixture.store.broadcast(of: "many")?.state == .done)
        for user in users {
            #expect(try await fixture.texts(of: user).sorted() == (expected[user] ?? []).sorted())
        }
        #expect(try await fixture.statistics().unreadDrift == 0)
        await fixture.remove()
    }
}
