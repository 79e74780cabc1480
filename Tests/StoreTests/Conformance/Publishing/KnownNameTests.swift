import Deliveries
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

/// Names with control characters, which were taken once: who and what is called so is kept, found and told.
@Suite(.everyEngine) struct KnownNameTests {
    private static func small(_ options: inout SQLiteStoreOptions) { options.recipientsPerPage = 3 }

    private static func users(_ count: Int) throws -> [UserID] {
        try (0..<count).map { try known("user\n\($0)\u{1B}[2J\u{85}") }
    }

    private static func known(_ name: String) throws -> UserID { try #require(UserID(known: name)) }

    @Test func `an event that is half delivered when control characters are refused reaches everybody`() async throws {
        let fixture = try StoreFixture(Self.small)
        let users = try Self.users(8)
        var list = Event.RecipientList(name: "people", users: users)
        list.own[users[6]] = ["text": "own"]
        let actor: JSONObject = ["id": .string(users[7].name), "username": "seven"]
        let event = Event(type: "said", key: "k\n1", actor: actor, to: [list], data: ["text": "hi"])
        let id = try #require(try await fixture.publish(fixture.entry(event)).first).event
        let first = try await fixture.store.deliverPage(of: id, by: fixture.catalog)
        #expect(first?.state == .working)
        let again = try await fixture.reopened(Self.small)
        try await again.store.deliverAll(of: id, by: again.catalog)
        let ended = try #require(try await again.store.broadcast(of: id))
        #expect((ended.state, ended.created, ended.suppressed) == (.done, 7, 1))
        for user in users.prefix(6) { #expect(try await again.texts(of: user) == ["hi"]) }
        #expect(try await again.texts(of: users[6]) == ["own"])
        #expect(try await again.texts(of: users[7]) == [])
        await again.remove()
    }

    @Test func `an event for a large topic reaches members whose ids have control characters`() async throws {
        try await withStore(Self.small) { fixture in
            let users = try Self.users(7) + [.ada]
            _ = try await fixture.store.replaceMembers(of: "room", with: users)
            let event = Event(type: "said", to: [.init(name: "people", topics: ["room"])], data: ["text": "hi"])
            let id = try #require(try await fixture.publish(fixture.entry(event)).first).event
            try await fixture.store.deliverAll(of: id, by: fixture.catalog)
            let ended = try #require(try await fixture.store.broadcast(of: id))
            #expect((ended.state, ended.created) == (.done, 8))
            for user in users { #expect(try await fixture.texts(of: user) == ["hi"]) }
        }
    }

    @Test func `everybody's event is not for its actor, whose id has control characters`() async throws {
        try await withStore(Self.small) { fixture in
            let users = try Self.users(4)
            for user in users { try await fixture.say("before", to: user) }
            let event = Event(
                type: "added", actor: ["id": .string(users[0].name), "username": "zero"],
                to: [.init(name: "others", isEverybody: true)], data: ["text": "hi", "things": [1]])
            let id = try #require(try await fixture.publish(fixture.entry(event)).first).event
            try await fixture.store.deliverAll(of: id, by: fixture.catalog)
            let ended = try #require(try await fixture.store.broadcast(of: id))
            #expect((ended.state, ended.created, ended.suppressed) == (.done, 3, 1))
            #expect(try await fixture.texts(of: users[0]) == ["before"])
        }
    }

    @Test func `the trail names people whose ids have control characters, strangers too`() async throws {
        try await withStore { fixture in
            let users = try Self.users(2)
            let entry = try fixture.entry("said", to: [users[0]], others: [users[1]])
            _ = try await fixture.publish(entry)
            let recipients = try await fixture.report(entry.id).recipients
            #expect(recipients.map(\.user) == users)
            #expect(recipients.map(\.decision) == [.created(.noDevice), .unrouted])
        }
    }

    @Test func `a device is owned by whom it was registered for, whatever characters their id has`() async throws {
        try await withStore { fixture in
            let user = try Self.known("a\u{1B}")
            try await fixture.store.register(.phone(), for: user)
            #expect(try await fixture.store.owner(ofDevice: "phone") == user)
        }
    }
}
