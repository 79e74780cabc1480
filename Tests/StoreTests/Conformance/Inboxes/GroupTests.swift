import Inbox
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct GroupTests {
    private static let yaml = """
        catalog: tests
        actor: [id]
        events:
          said: {routes: [{to: people, type: SAID}]}
          asked: {routes: [{to: people, type: ASKED}]}
        types:
          SAID: {text: "{{text}}"}
          ASKED: {text: "{{text}}", group: "questions:{{actor.id}}", groupText: "{{count}} new questions"}

        """

    private func ask(_ text: String, by actor: String = "renee", _ fixture: StoreFixture) async throws {
        _ = try await fixture.publish(fixture.entry("asked", text, to: [.ada], actor: actor))
    }

    @Test func `groups come by their newest notification, and tell how many they hold`() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            try await ask("1", fixture)
            try await fixture.say("alone", to: .ada)
            try await ask("2", by: "pete", fixture)
            try await ask("3", fixture)
            let ids = try await fixture.ids(of: .ada)
            try await fixture.store.apply(.read(.ids([ids[3]])), for: .ada)
            let page = try await fixture.store.groups(of: .ada)
            #expect(page.groups.map(\.group) == ["questions:renee", "questions:pete", nil])
            #expect(page.groups.map(\.text) == ["1 new questions", "1 new questions", "alone"])
            #expect(page.groups.map(\.count) == [2, 1, 1])
            #expect(page.groups.map(\.unreadCount) == [1, 1, 1])
            #expect(page.groups.map(\.latest.content.displayText) == ["3", "2", "alone"])
            #expect((page.state.seq, page.hasMore) == (5, false))
            let first = try await fixture.store.groups(1, of: .ada)
            #expect((first.groups.map(\.count), first.hasMore) == ([2], true))
            #expect(try await fixture.store.groups(of: .bob).groups.isEmpty)
        }
    }

    @Test func `a group's text and name survive a restart`() async throws {
        try await withStore(yaml: Self.yaml) { first in
            try await ask("1", first)
            try await ask("2", first)
            let second = try await first.reopened()
            let group = try #require(try await second.store.groups(of: .ada).groups.first)
            #expect((group.group, group.text, group.count) == ("questions:renee", "2 new questions", 2))
            await second.store.close()
        }
    }

    @Test func `a filter's pages hold what passes it, by page and by cursor`() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            for number in 1...4 {
                try await ask("q\(number)", fixture)
                try await fixture.say("s\(number)", to: .ada)
            }
            let ids = try await fixture.ids(of: .ada)
            func texts(_ start: PageQuery.Start, _ limit: Int, _ filter: NotificationFilter) async throws -> [String] {
                try await fixture.store.page(PageQuery(start: start, limit: limit, filter: filter), of: .ada).texts
            }
            let questions = NotificationFilter(group: "questions:renee")
            #expect(try await texts(.offset(0), 2, questions) == ["q4", "q3"])
            #expect(try await texts(.offset(2), 9, questions) == ["q2", "q1"])
            #expect(try await texts(.before(ids[2]), 9, questions) == ["q3", "q2", "q1"])
            #expect(try await texts(.after(ids[5]), 9, questions) == ["q4", "q3"])
            // As unknown as any other place of another inbox: from the newest on.
            #expect(try await texts(.before(NotificationID(inbox: 99, sequence: 5)), 2, questions) == ["q4", "q3"])
            #expect(try await texts(.offset(0), 9, NotificationFilter(types: ["SAID"])) == ["s4", "s3", "s2", "s1"])
            #expect(try await texts(.offset(0), 9, NotificationFilter(types: [])) == [])
            try await fixture.store.apply(.read(.upTo(6)), for: .ada)
            #expect(try await texts(.offset(0), 9, NotificationFilter(unreadOnly: true)) == ["s4", "q4"])
            let page = try await fixture.store.page(
                PageQuery(start: .offset(0), limit: 1, asOf: 7, filter: NotificationFilter(unreadOnly: true)), of: .ada)
            #expect((page.texts, page.totalCount, page.hasMore) == (["q4"], 1, false))
        }
    }

    @Test func `reading a group reads its unread rows at once, and they are told by their ids`() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            for number in 1...3 { try await ask("q\(number)", fixture) }
            try await fixture.say("s", to: .ada)
            let ids = try await fixture.ids(of: .ada)
            try await fixture.store.apply(.read(.ids([ids[2]])), for: .ada)
            let outcome = try await fixture.store.apply(.readGroup("questions:renee"), for: .ada)
            #expect((outcome.count, outcome.state.unread, outcome.state.seq) == (2, 1, 6))
            let change = try #require(fixture.told(to: .ada).last)
            guard case .read(.ids(let told)) = change.kind else { return #expect(Bool(false), "\(change.kind)") }
            #expect(told == [ids[1], ids[3]])
            let again = try await fixture.store.apply(.readGroup("questions:renee"), for: .ada)
            #expect((again.count, again.state.seq) == (0, 6))
            let unknown = try await fixture.store.apply(.readGroup("questions:nobody"), for: .ada)
            #expect(unknown.count == 0)
        }
    }

    @Test func `a filter, the groups and reading a group reach to the oldest row`() async throws {
        try await withStore(yaml: Self.yaml) { fixture in
            try await ask("oldest", fixture)
            let entries = try (2...2_500).map { try fixture.entry("said", "\($0)", to: [.ada]) }
            _ = try await fixture.store.publish(Publication(publisher: "backend", entries: entries, now: .at(0)))
            let group = NotificationFilter(group: "questions:renee")
            func page(_ filter: NotificationFilter) async throws -> Page {
                try await fixture.store.page(PageQuery(start: .offset(0), limit: 9, filter: filter), of: .ada)
            }
            for filter in [group, NotificationFilter(types: ["ASKED"])] {
                let page = try await page(filter)
                #expect((page.texts, page.totalCount) == (["oldest"], 1))
            }
            let groups = try await fixture.store.groups(2_500, of: .ada).groups
            #expect((groups.count, groups.last?.group) == (2_500, "questions:renee"))
            try await fixture.store.apply(
                .read(.ids(fixture.store.page(.offset(0), of: .ada).notifications.map(\.id))), for: .ada)
            let unread = try await page(NotificationFilter(unreadOnly: true))
            #expect((unread.texts.first, unread.totalCount, unread.remaining) == ("1500", 1_500, 1_500))
            #expect(try await fixture.store.apply(.readGroup("questions:renee"), for: .ada).count == 1)
            #expect(try await page(NotificationFilter(unreadOnly: true, group: "questions:renee")).totalCount == 0)
        }
    }
}
