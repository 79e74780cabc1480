import Inbox
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct NotificationTrailTests {
    private func notification(of event: String, in fixture: StoreFixture) async throws -> NotificationID {
        try #require(try await fixture.report(event, of: .ada).recipients.first?.notification)
    }

    @Test func `a notification is explained by the event that made it, and by no other`() async throws {
        try await withStore { fixture in
            try await fixture.say("before", to: .ada)
            let event = try await fixture.event("said", to: .ada, .bob)
            let next = try await fixture.event("said", to: .ada)
            let trail = try #require(
                try await fixture.store.trail(of: notification(of: event, in: fixture), user: .ada) { _ in next })
            #expect(trail.entries.map(\.event.id) == [event])
            #expect(trail.entries.flatMap(\.decisions).map(\.user) == [.ada])
            #expect(trail.isWhole)
        }
    }

    @Test func `a batch is explained by all that it has taken in, oldest first`() async throws {
        try await withStore { fixture in
            let first = try await fixture.event("added", to: .ada)
            let between = try await fixture.event("said", to: .ada, at: .at(1))
            let second = try await fixture.event("added", to: .ada, at: .at(2))
            let id = try await notification(of: first, in: fixture)
            let trail = try #require(try await fixture.store.trail(of: id, user: .ada) { _ in between })
            #expect(trail.entries.map(\.event.id) == [first, second])
            #expect(trail.entries.flatMap(\.decisions).map(\.decision) == [.created(.noDevice), .grew(.batched)])
            #expect(trail.entries.flatMap(\.decisions).map(\.notification) == [id, id])
        }
    }

    @Test func `an event that was named after it was stored is found, too`() async throws {
        try await withStore { fixture in
            let event = try await fixture.event("said", to: .ada)
            let id = try await notification(of: event, in: fixture)
            let trail = try #require(try await fixture.store.trail(of: id, user: .ada) { _ in "" })
            #expect(trail.entries.map(\.event.id) == [event])
        }
    }

    @Test func `a look goes so far in each direction, and says so`() async throws {
        let configure: StoreFixture.Configuration = { $0.trailRowsPerLook = 2 }
        try await withStore(yaml: StoreFixture.yaml, configure) { fixture in
            let event = try await fixture.event("said", to: .ada)
            for _ in 0..<3 { try await fixture.say("other", to: .bob) }
            let id = try await notification(of: event, in: fixture)
            let trail = try #require(try await fixture.store.trail(of: id, user: .ada) { _ in "f" })
            #expect((trail.entries.count, trail.isWhole) == (0, false))
        }
    }

    @Test func `nobody is told of another's notification, nor of one that is gone`() async throws {
        try await withStore { fixture in
            let event = try await fixture.event("said", to: .ada, .bob)
            let id = try await notification(of: event, in: fixture)
            #expect(try await fixture.store.trail(of: id, user: .bob) { _ in "f" } == nil)
            #expect(try await fixture.store.trail(of: id, user: .user("nobody")) { _ in "f" } == nil)
            _ = try await fixture.store.apply(.remove(.ids([id])), for: .ada, at: .at(1))
            #expect(try await fixture.store.trail(of: id, user: .ada) { _ in "f" } == nil)
        }
    }
}
