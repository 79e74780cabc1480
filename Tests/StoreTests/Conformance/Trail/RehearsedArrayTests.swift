import Deliveries
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Support
import Testing

/// Arrays that are tried: each event meets what the earlier ones would leave behind.
@Suite(.everyEngine) struct RehearsedArrayTests {
    private static let yaml = """
        catalog: tests
        actor: [id, username]
        events:
          said: {routes: [{to: people, type: SAID}]}
          added: {routes: [{to: people, type: ADDED}, {to: others, type: SAID}]}
          chatted: {routes: [{to: people, type: CHATTED}]}
          upvoted: {routes: [{to: people, type: UPVOTED}]}
          whispered: {routes: [{to: people, type: WHISPERED}]}
        types:
          SAID: {text: "{{text}}", push: {when: fallback, title: Said, body: "{{text}}"}}
          ADDED:
            text: "{{actor}} added {{things}}"
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {when: fallback, title: Added, body: "{{things}}"}
          CHATTED:
            text: "{{actor}} wrote {{things}}"
            batch:
              {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}, bump: true}
            push: {when: always, timing: each, title: Chat, body: "{{things}}"}
          UPVOTED:
            text: "{{text}}"
            push:
              {when: fallback, perHour: 1, title: Upvoted, body: "{{text}}", summary: {title: Upvoted, body: "{{count}}"}}
          WHISPERED:
            text: "{{things}}"
            preferences: {inApp: never}
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {when: always, title: Whispered, body: "{{things}}"}
        """

    private func event(
        _ type: String, _ people: [UserID] = [], topics: [String] = [], everybody: Bool = false, key: String? = nil,
        actor: String = "renee", text: String = "hi"
    ) -> Event {
        var lists = [Event.RecipientList(name: "people", users: people, topics: topics)]
        if everybody { lists = [.init(name: "people", users: people, isEverybody: true)] }
        return Event(
            type: type, key: key, actor: ["id": .string(actor), "username": .string(actor)], to: lists,
            data: ["text": .string(text), "things": [1]])
    }

    // MARK: Against the real thing

    private struct Told: Hashable {
        let user: UserID?
        let decision: TrailDecision
    }

    /// Publishes the entries, and brings those for many to all their people, page by page in turns.
    private func publish(_ entries: [Publication.Entry], _ fixture: StoreFixture) async throws -> [PublishOutcome] {
        var outcomes = try await fixture.store.publish(
            Publication(publisher: "backend", entries: entries, now: .at(0)))
        var turns = outcomes.filter { $0.broadcast?.state == .working && !$0.isReplay }.map(\.event)
        while let event = turns.first {
            turns.removeFirst()
            let broadcast = try await fixture.store.deliverPage(of: event, by: fixture.catalog)
            guard let broadcast, broadcast.state != .working else {
                turns.append(event)
                continue
            }
            for place in outcomes.indices where outcomes[place].event == event {
                outcomes[place] = PublishOutcome(broadcast, isReplay: outcomes[place].isReplay)
            }
        }
        return outcomes
    }

    private func texts(_ fixture: StoreFixture) -> [UserID: [String]] {
        fixture.commits.flatMap(\.inboxes).reduce(into: [:]) { texts, delivery in
            switch delivery.change.kind {
            case .new(let notification), .update(let notification):
                texts[delivery.user, default: []].append(notification.content.displayText)
            case .read, .seen, .removed: break
            }
        }
    }

    private func counts(_ outcome: PublishOutcome) -> [Int] {
        [outcome.recipients, outcome.created, outcome.updated, outcome.suppressed, outcome.isReplay ? 1 : 0]
    }

    /// Checks that publishing an array does the same as its rehearsal says.
    private func compare(_ entries: [Publication.Entry], _ fixture: StoreFixture, _ what: String) async throws {
        let publication = Publication(publisher: "backend", entries: entries, now: .at(0))
        let rehearsals = try await fixture.store.rehearse(publication, limit: 1_000)
        var before = texts(fixture)
        let outcomes = try await publish(entries, fixture)
        // Two events may reach people page by page, in turns, so either may be the first for somebody. A rehearsal does
        // not tell which of them begins a batch there.
        let isExact = outcomes.count { $0.broadcast != nil && !$0.isReplay } < 2
        if isExact { #expect(rehearsals.map { counts($0.outcome) } == outcomes.map(counts), "\(what)") }
        let (tried, done) = (rehearsals.map(\.outcome), outcomes)
        #expect(tried.map(\.recipients) == done.map(\.recipients), "\(what)")
        #expect(tried.map(\.suppressed) == done.map(\.suppressed), "\(what)")
        #expect(tried.map(\.isReplay) == done.map(\.isReplay), "\(what)")
        let created = [tried, done].map { $0.filter { !$0.isReplay }.reduce(0) { $0 + $1.created } }
        #expect(created[0] == created[1], "\(what)")
        // Rows that are tried are no damage.
        #expect(fixture.store.damagedRows == 0, "\(what)")
        #expect(rehearsals.map(\.outcome.event) == outcomes.map(\.event), "\(what)")
        guard isExact else { return }
        for (user, told) in before { before[user] = Array((texts(fixture)[user] ?? []).dropFirst(told.count)) }
        var real = texts(fixture).merging(before) { $1 }
        for (rehearsal, outcome) in zip(rehearsals, outcomes) where !outcome.isReplay {
            let query = TrailQuery(.id(outcome.event), limit: 1_000)
            let report = try #require(try await fixture.store.trail(of: query))
            let decided = Set(report.recipients.map { Told(user: $0.user, decision: $0.decision) })
            let tried = Set(rehearsal.recipients.map { Told(user: $0.user, decision: $0.decision) })
            #expect(tried.subtracting(decided) == [], "\(what)")
            if outcome.broadcast == nil { #expect(tried == decided, "\(what)") }
            for recipient in rehearsal.recipients {
                guard let user = recipient.user, let content = recipient.content, !recipient.decision.isPushOnly else {
                    continue
                }
                let place = real[user]?.firstIndex(of: content.displayText)
                #expect(place != nil, "\(what): nobody told \(user) \(content.displayText)")
                if let place { real[user]?.remove(at: place) }
            }
        }
    }

    private func withPeople(
        _ count: Int = 8, page: Int, _ body: (StoreFixture, [UserID]) async throws -> Void
    ) async throws {
        try await withStore(yaml: Self.yaml) {
            $0.recipientsPerPage = page
        } _: { fixture in
            let people = (0..<count).map { UserID.user("user-\($0)") }
            for (place, user) in people.enumerated() {
                try await fixture.say("before", to: user)
                guard place % 2 == 0 else { continue }
                try await fixture.store.register(.phone("p\(place)", token: "t\(place)"), for: user)
            }
            try await body(fixture, people)
        }
    }

    // MARK: Tests

    @Test func `an event joins the batch that an earlier one of its array begins`() async throws {
        try await withPeople(page: 100) { fixture, people in
            let entries = try (0..<3).map { _ in try fixture.entry(event("added", [people[0], .ada])) }
            let publication = Publication(publisher: "backend", entries: entries, now: .at(0))
            let rehearsals = try await fixture.store.rehearse(publication)
            #expect(rehearsals.map(\.outcome.created) == [2, 0, 0])
            #expect(rehearsals.map(\.outcome.updated) == [0, 2, 2])
            #expect(
                rehearsals.map { $0.recipients.first?.content?.displayText } == [
                    "renee added one thing", "renee added 2 things", "renee added 3 things",
                ])
            try await compare(entries, fixture, "three of a batch")
        }
    }

    @Test func `an event for many meets the batches of those before it, on each of its pages`() async throws {
        try await withPeople(page: 3) { fixture, people in
            let entries = [
                try fixture.entry(event("added", [people[7]])), try fixture.entry(event("added", people)),
                try fixture.entry(event("added", [people[1]])), try fixture.entry(event("added", people + [.bob])),
            ]
            let publication = Publication(publisher: "backend", entries: entries, now: .at(0))
            let rehearsals = try await fixture.store.rehearse(publication)
            // The short ones are there at once, the long ones page by page.
            #expect(rehearsals.map(\.outcome.created) == [1, 6, 1, 1])
            #expect(rehearsals.map(\.outcome.updated) == [0, 2, 0, 8])
            #expect(
                rehearsals[1].recipients.compactMap { $0.content?.displayText }.sorted() == [
                    "renee added 2 things", "renee added one thing", "renee added one thing",
                ])
            #expect(rehearsals[3].recipients.count == 3)
            try await compare(entries, fixture, "short and long ones")
        }
    }

    @Test func `each event shows its own text, in whatever order they reach people`() async throws {
        try await withPeople(page: 3) { fixture, people in
            // The first one is for many, and so comes to its people behind the second one.
            let entries = [
                try fixture.entry(event("added", people)), try fixture.entry(event("added", [people[0]])),
            ]
            let publication = Publication(publisher: "backend", entries: entries, now: .at(0))
            let rehearsals = try await fixture.store.rehearse(publication)
            let first = rehearsals[0].recipients.first { $0.user == people[0] }
            #expect(first?.content?.displayText == "renee added 2 things")
            #expect(rehearsals[1].recipients.map { $0.content?.displayText } == ["renee added one thing"])
            try await compare(entries, fixture, "a long one first")
        }
    }

    @Test func `a key that comes again in an array is answered as at first, also of an event for many`() async throws {
        try await withPeople(page: 3) { fixture, people in
            let long = try fixture.entry(event("said", people, key: "long"))
            let short = try fixture.entry(event("said", [people[0]], key: "short"))
            let entries = [long, short, try again(long, fixture), try again(short, fixture)]
            let publication = Publication(publisher: "backend", entries: entries, now: .at(0))
            let rehearsals = try await fixture.store.rehearse(publication)
            #expect(rehearsals.map(\.outcome.created) == [8, 1, 8, 1])
            #expect(rehearsals.map(\.outcome.isReplay) == [false, false, true, true])
            #expect(rehearsals.map(\.people).prefix(3) == [8, 1, 8])
            try await compare(entries, fixture, "keys that come again")
        }
    }

    @Test func `everybody are those who are there when the event is taken in`() async throws {
        try await withPeople(page: 3) { fixture, people in
            let entries = [
                try fixture.entry(event("added", [.ada])), try fixture.entry(event("added", everybody: true)),
                try fixture.entry(event("said", [.bob])),
            ]
            let publication = Publication(publisher: "backend", entries: entries, now: .at(0))
            let rehearsals = try await fixture.store.rehearse(publication)
            // With ada, who came with the first one, and without bob, who came later.
            #expect(rehearsals.map(\.outcome.created) == [1, people.count, 1])
            #expect(rehearsals.map(\.outcome.updated) == [0, 1, 0])
            try await compare(entries, fixture, "everybody")
        }
    }

    @Test(arguments: Seeds.some(8, of: 40))
    func `a rehearsal says what publishing does`(_ seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let page = [2, 3, 5, 100][random.next(below: 4)]
        try await withPeople(page: page) { fixture, people in
            _ = try await fixture.store.replaceMembers(of: "team", with: Array(people.prefix(6)))
            for round in 0..<3 {
                var entries: [Publication.Entry] = []
                for _ in 0..<(1 + random.next(below: 6)) {
                    if let known = entries.filter({ $0.routed.event.key != nil }).first, random.next(below: 5) == 0 {
                        entries.append(try again(known, fixture))
                        continue
                    }
                    let type = ["said", "added", "chatted", "upvoted", "whispered"][random.next(below: 5)]
                    // Users in the order of their inboxes, which is the order of remembered people.
                    var some = people.filter { _ in random.next(below: 2) == 0 }
                    if random.next(below: 4) == 0 { some.append(.user("new-\(round)-\(entries.count)")) }
                    let kind = random.next(below: 6)
                    entries.append(
                        try fixture.entry(
                            event(
                                type, some, topics: kind == 0 ? ["team"] : [], everybody: kind == 1,
                                key: random.next(below: 3) == 0 ? "key-\(round)-\(entries.count)" : nil,
                                actor: ["renee", "user-3"][random.next(below: 2)], text: "\(entries.count)")))
                }
                try await compare(entries, fixture, "seed \(seed), round \(round)")
            }
        }
    }

    /// The same event under the same key once more, with a name of its own.
    private func again(_ entry: Publication.Entry, _ fixture: StoreFixture) throws -> Publication.Entry {
        try fixture.entry(entry.routed.event)
    }
}
