import Inbox
import SQLiteStore
import Store
import Support
import Testing

/// Types whose notifications come up again when they grow: pages against a plain list.
@Suite(.everyEngine) struct RaisedPageTests {
    private static let yaml = """
        catalog: tests
        actor: [id]
        events:
          said: {routes: [{to: people, type: SAID}]}
          chatted: {routes: [{to: people, type: CHATTED}]}
        types:
          SAID: {text: "{{text}}"}
          CHATTED:
            text: "{{things}}"
            batch:
              {window: 1h, by: [actor.id], count: things, nouns: {one: one message, other: "{{count}} messages"}, bump: true}

        """

    private func chat(_ actor: String, _ fixture: StoreFixture) async throws {
        _ = try await fixture.publish(fixture.entry("chatted", to: [.ada], actor: actor))
    }

    @Test func `a grown notification stands on top, is told its place, and goes on standing there`() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            try await chat("renee", fixture)
            try await fixture.say("one", to: .ada)
            try await chat("pete", fixture)
            try await chat("renee", fixture)
            let page = try await fixture.store.page(of: .ada)
            #expect(page.texts == ["2 messages", "one message", "one"])
            #expect(page.notifications.map(\.place) == [4, 3, 2])
            #expect(page.notifications.map(\.id.sequence) == [1, 3, 2])
            guard case .update(let told) = fixture.told(to: .ada).last?.kind else { return #expect(Bool(false)) }
            #expect((told.id.sequence, told.place, told.seq) == (1, 4, 4))
            let position = InboxPosition(epoch: page.state.epoch, seq: 0)
            for recovery in [
                try await fixture.store.recover(.ada, from: position),
                fixture.store.rememberedRecovery(of: .ada, from: position),
            ].compactMap(\.self) {
                guard case .changes(let changes) = recovery.result else { return #expect(Bool(false)) }
                guard case .new(let first) = changes.first?.kind else { return #expect(Bool(false)) }
                #expect((changes.count, first.place) == (4, 4))
            }
            let ids = page.notifications.map(\.id)
            try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada)
            try await chat("renee", fixture)
            #expect(
                try await fixture.store.page(of: .ada).texts == ["one message", "2 messages", "one message", "one"])
            #expect(try await fixture.store.page(.before(ids[0]), of: .ada).texts == ["one message", "one"])
            #expect(try await fixture.store.page(.after(ids[0]), of: .ada).texts == ["one message"])
            let unread = PageQuery(start: .offset(0), limit: 9, filter: NotificationFilter(unreadOnly: true))
            #expect(try await fixture.store.page(unread, of: .ada).texts == ["one message", "one message", "one"])
            let again = try await fixture.reopened()
            #expect(try await again.store.page(of: .ada).notifications.map(\.place) == [6, 4, 3, 2])
            await again.store.close()
        }
    }

    /// Reads on with the cursor of each page; rows come, come up, are read and removed meanwhile.
    @Test(arguments: Seeds.some(8, of: 40) as ClosedRange<UInt64>)
    func `each row that was there at the first page and still is at the last is on one page`(seed: UInt64) async throws
    {
        try await withStore(yaml: Self.yaml) { fixture in
            var random = SeededRandom(seed: seed)
            let actors = (0..<8).map { "actor-\($0)" }
            for number in 0..<30 {
                if random.next(below: 2) == 0 {
                    try await chat(actors[random.next(below: actors.count)], fixture)
                } else {
                    try await fixture.say("\(number)", to: .ada)
                }
            }
            let filter = random.next(below: 2) == 0 ? nil : NotificationFilter(unreadOnly: true)
            let all = PageQuery(start: .offset(0), limit: 1_000, filter: filter)
            let first = try await fixture.store.page(all, of: .ada)
            var query = PageQuery(start: .offset(0), limit: 1 + random.next(below: 5), filter: filter)
            query.epoch = first.state.epoch
            var (seen, places): ([NotificationID], [Int64]) = ([], [])
            while true {
                let page = try await fixture.store.page(query, of: .ada)
                #expect(page.isRecovered)
                seen += page.notifications.map(\.id)
                places += [page.end].compactMap(\.self)
                guard let end = page.end, page.hasMore else { break }
                (query.start, query.asOf) = (.behind(end), page.asOf)
                for _ in 0..<random.next(below: 4) {
                    let rows = try await fixture.store.page(all, of: .ada).notifications
                    switch random.next(below: 6) {
                    case 0: try await fixture.say("new", to: .ada)
                    case 1 where !rows.isEmpty:
                        let id = rows[random.next(below: rows.count)].id
                        try await fixture.store.apply(.remove(.ids([id])), for: .ada)
                    case 2 where !rows.isEmpty:
                        let id = rows[random.next(below: rows.count)].id
                        try await fixture.store.apply(.read(.ids([id])), for: .ada)
                    default: try await chat(actors[random.next(below: actors.count)], fixture)
                    }
                }
            }
            let last = Set(try await fixture.store.page(all, of: .ada).notifications.map(\.id))
            #expect(Set(seen).count == seen.count, "a row twice")
            #expect(places == places.sorted(by: >))
            #expect(Set(seen).isSubset(of: first.notifications.map(\.id)))
            #expect(Set(seen).isSuperset(of: last.intersection(first.notifications.map(\.id))))
        }
    }

    @Test func `counts of an earlier moment know what came up since`() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            for actor in ["a", "b", "c"] { try await chat(actor, fixture) }
            try await chat("a", fixture)
            try await chat("b", fixture)
            try await fixture.say("new", to: .ada)
            for filter in [
                nil, NotificationFilter(unreadOnly: true), NotificationFilter(types: ["CHATTED"]),
                NotificationFilter(unreadOnly: true, types: ["CHATTED"]),
            ] {
                let query = PageQuery(start: .offset(1), limit: 1, asOf: 3, filter: filter)
                let page = try await fixture.store.page(query, of: .ada)
                #expect(page.notifications.map(\.id.sequence) == [2])
                #expect((page.totalCount, page.remaining, page.end) == (3, 2, 2))
                let behind = PageQuery(start: .behind(2), limit: 9, asOf: 3, filter: filter)
                #expect(try await fixture.store.page(behind, of: .ada).notifications.map(\.id.sequence) == [1])
            }
        }
    }

    @Test func `a place of another epoch, or of a seq to come, is none: the list begins anew`() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            for number in 1...5 { try await fixture.say("\(number)", to: .ada) }
            let epoch = try await fixture.store.state(of: .ada).epoch
            var query = PageQuery(start: .behind(3), limit: 2, asOf: 5)
            for (told, asOf, isKnown) in [
                (epoch, Int64(5), true), ("other", 5, false), ("", 5, false), (epoch, 6, false),
            ] {
                (query.epoch, query.asOf) = (told, asOf)
                let page = try await fixture.store.page(query, of: .ada)
                #expect((page.texts, page.isRecovered) == (isKnown ? ["2", "1"] : ["5", "4"], isKnown))
            }
        }
    }
}
