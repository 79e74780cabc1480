import Inbox
import SQLiteStore
import Store
import Testing

/// Where a read counts as a look at the list.
@Suite(.everyEngine) struct ReadLookTests {
    private func withThree(
        counts: Bool, _ body: (StoreFixture, [NotificationID]) async throws -> Void
    ) async throws {
        try await withStore {
            $0.readCountsAsLook = counts
        } _: { fixture in
            for text in ["one", "two", "three"] { try await fixture.say(text, to: .ada) }
            try await body(fixture, try await fixture.ids(of: .ada).reversed())
        }
    }

    @Test(arguments: [(true, 0), (false, 2)] as [(Bool, Int64)])
    func `a person who reads one has seen all, where that is set`(_ counts: Bool, _ unseen: Int64) async throws {
        try await withThree(counts: counts) { fixture, ids in
            let outcome = try await fixture.store.apply(.read(.ids([ids[1]])), for: .ada)
            #expect((outcome.count, outcome.state.unread, outcome.state.unseen) == (1, 2, unseen))
            let page = try await fixture.store.page(of: .ada)
            #expect(page.state == outcome.state)
            #expect(page.notifications.map(\.isSeen) == [counts, true, counts])
            #expect(page.notifications.map(\.isRead) == [false, true, false])
            let kinds = fixture.told(to: .ada).suffix(counts ? 2 : 1).map(\.kind)
            guard case .read = kinds.first else {
                Issue.record("not told of the read first")
                return
            }
            if counts, case .seen(let upTo) = kinds[1] { #expect(upTo == 4) } else { #expect(!counts) }
        }
    }

    @Test func `a tap on what is read already is a look, too, and a read up to a point is none`() async throws {
        try await withThree(counts: true) { fixture, ids in
            let upTo = try await fixture.store.apply(.read(.upTo(1)), for: .ada)
            #expect((upTo.state.unread, upTo.state.unseen) == (2, 2))
            let tapped = try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada)
            #expect((tapped.count, tapped.state.unread, tapped.state.unseen) == (0, 2, 0))
        }
    }

    @Test func `a read that names nothing of the inbox is no look`() async throws {
        try await withThree(counts: true) { fixture, ids in
            try await fixture.say("for another", to: .bob)
            let foreign = try #require(try await fixture.ids(of: .bob).first)
            let unknown = NotificationID(inbox: ids[0].inbox, sequence: 99)
            for named in [[], [unknown], [foreign]] {
                let outcome = try await fixture.store.apply(.read(.ids(named)), for: .ada)
                #expect((outcome.count, outcome.state.unread, outcome.state.unseen) == (0, 3, 3), "\(named)")
            }
            let group = try await fixture.store.apply(.readGroup("nobody's"), for: .ada)
            #expect((group.count, group.state.unseen) == (0, 3))
            // With one of the inbox's among them it is one.
            let mixed = try await fixture.store.apply(.read(.ids([unknown, ids[0]])), for: .ada)
            #expect((mixed.count, mixed.state.unseen) == (1, 0))
        }
    }

    @Test func `a tap on a group that is read already is a look, too`() async throws {
        let yaml = """
            catalog: tests
            actor: [id, username]
            events: {said: {routes: [{to: people, type: SAID}]}}
            types: {SAID: {text: "{{text}}", group: "{{actor}}", groupText: "{{actor}}"}}
            """
        try await withStore(yaml: yaml) {
            $0.readCountsAsLook = true
        } _: { fixture in
            for actor in ["renee", "sam"] {
                _ = try await fixture.publish(fixture.entry("said", to: [.ada], actor: actor))
            }
            let read = try await fixture.store.apply(.readGroup("renee"), for: .ada)
            #expect((read.count, read.state.unseen) == (1, 0))
            _ = try await fixture.publish(fixture.entry("said", to: [.ada], actor: "sam"))
            let again = try await fixture.store.apply(.readGroup("renee"), for: .ada)
            #expect((again.count, again.state.unread, again.state.unseen) == (0, 2, 0))
        }
    }
}
