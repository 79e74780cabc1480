import Deliveries
import Inbox
import JSON
import SQLiteStore
import Store
import Testing

/// Events that share a commit: their rows are written together, and nobody can tell.
struct SharedCommitTests {
    private static func people(_ number: Int) -> [UserID] { (0..<number).map { .user("user-\($0)") } }

    @Test func `a notification that came in the same commit is found by its actor`() async throws {
        try await withStore { fixture in
            let entry = try fixture.entry("noted", to: [.ada])
            let patched: Int = try await withCheckedThrowingContinuation { waiting in
                fixture.write({ waiting.resume(with: $0) }) { open in
                    _ = try PublishWriter(open: open).publish(
                        Publication(publisher: "backend", entries: [entry], now: .at(0)))
                    return .success(
                        try PatchWriter(open: open).write(
                            NotificationPatch(
                                user: .ada, type: "NOTED", actor: "renee", key: nil, publisher: "backend",
                                fields: ["live": 1], now: .at(0))))
                }
            }
            #expect(patched == 1)
        }
    }

    @Test(.mayNotHang, arguments: [1, 2, 3, 7, 15, 16, 17, 33, 63, 64, 65, 85, 150])
    func `however many share a commit, each is kept with its own text, decision and key`(_ count: Int) async throws {
        try await withStore { fixture in
            let people = Self.people(4)
            let entries = try (0..<count).map { number in
                try fixture.entry(
                    "said", "text \(number)", to: [people[number % 4]], key: "key \(number)",
                    fingerprint: UInt64(number))
            }
            let outcomes = try await fixture.publishTogether(entries.map(Self.publication)).map { try $0.get() }
            #expect(outcomes.map { $0.map(\.event) } == entries.map { [$0.id] })
            #expect(fixture.commits.map(\.inboxes.count) == [count])

            for (place, user) in people.enumerated() {
                let numbers = stride(from: place, to: count, by: 4)
                #expect(try await fixture.texts(of: user) == numbers.reversed().map { "text \($0)" })
            }
            for (number, entry) in entries.enumerated() {
                let recipients = try await fixture.report(entry.id).recipients
                #expect(recipients.map(\.user) == [people[number % 4]])
                let again = try await fixture.publish(
                    fixture.entry("said", to: [.ada], key: "key \(number)", fingerprint: UInt64(number)))
                #expect(again.map(\.event) == [entry.id] && again.map(\.isReplay) == [true])
            }
        }
    }

    @Test(.mayNotHang, arguments: [0, 14, 15, 40])
    func `a key that comes again in the same commit stands for its event, whatever came between`(
        _ between: Int
    ) async throws {
        try await withStore { fixture in
            let first = try fixture.entry("said", to: [.ada], key: "k")
            let others = try (0..<between).map { try fixture.entry("said", to: [.bob], key: "other \($0)") }
            let again = try fixture.entry("said", to: [.ada], key: "k")
            let mistaken = try fixture.entry("said", to: [.ada], key: "k", fingerprint: 8)
            let foreign = try fixture.entry("said", to: [.ada], key: "k", fingerprint: 8)
            let answers = try await fixture.publishTogether(
                ([first] + others + [again, mistaken]).map(Self.publication)
                    + [Publication(publisher: "another", entries: [foreign], now: .at(0))])
            let tail = answers.suffix(3)
            #expect(try tail.first?.get().map(\.event) == [first.id])
            #expect(throws: StoreError.keyReused(index: 0)) { try answers[between + 2].get() }
            #expect(try tail.last?.get().map(\.event) == [foreign.id])
            #expect(try await fixture.store.state(of: .ada).total == 2)
            #expect(fixture.commits.count == 1)
        }
    }

    @Test(.mayNotHang, arguments: [(1, 0), (2, 0), (2, 1), (16, 15), (17, 0), (17, 16), (40, 20)])
    func `a key that came before is known among new ones, wherever it stands`(_ count: Int, _ place: Int) async throws {
        try await withStore { fixture in
            let known = try fixture.entry("said", to: [.ada], key: "known")
            _ = try await fixture.publish(known)
            let entries = try (0..<count).map { number in
                try number == place
                    ? fixture.entry("said", to: [.ada], key: "known")
                    : fixture.entry("said", to: [.bob], key: "new \(number)")
            }
            let outcomes = try await fixture.publishTogether(entries.map(Self.publication)).flatMap { try $0.get() }
            #expect(outcomes.indices.filter { outcomes[$0].isReplay } == [place])
            #expect(outcomes[place].event == known.id)
            #expect(try await fixture.store.state(of: .ada).total == 1)
        }
    }

    @Test func `keys that look alike, or are another publisher's, are new among those of a commit`() async throws {
        try await withStore { fixture in
            _ = try await fixture.publish(fixture.entry("said", to: [.ada], key: "e\u{301}"))
            let publications = try [
                ("backend", "\u{E9}"), ("backend", "e\u{301}"), ("another", "e\u{301}"), ("a third", "e\u{301}"),
            ].map { publisher, key -> Publication in
                let entry = try fixture.entry("said", to: [.ada], key: key)
                return Publication(publisher: publisher, entries: [entry], now: .at(0))
            }
            let outcomes = try await fixture.publishTogether(publications).flatMap { try $0.get() }
            #expect(outcomes.map(\.isReplay) == [false, true, false, false])
        }
    }

    @Test func `reads and removals find the earlier publications of the same commit`() async throws {
        try await withStore { fixture in
            try await fixture.whileHeld {
                for number in 1...3 { try fixture.submit("text \(number)", to: .ada) }
                fixture.store.apply(.read(.upTo(2)), for: .ada, at: .at(0)) { _ in }
                try fixture.submit("text 5", to: .ada)
                fixture.store.apply(.remove(.upTo(1)), for: .ada, at: .at(0)) { _ in }
                try fixture.submit("text 7", to: .ada)
            }
            let state = try await fixture.store.state(of: .ada)
            #expect((state.seq, state.unread, state.total) == (7, 3, 4))
            #expect(try await fixture.texts(of: .ada) == ["text 7", "text 5", "text 3", "text 2"])
            #expect(fixture.commits.count == 1)
        }
    }

    @Test func `writes that are undone with a failed one are done once more, each for itself`() async throws {
        try await withStore { fixture in
            try await fixture.refuseEvents(where: "NEW.key = 'refused'")
            let entries = [
                try fixture.entry("said", "first", to: [.ada, .bob], key: "a"),
                try fixture.entry("said", "never", to: [.ada], key: "refused"),
                try fixture.entry("said", "second", to: [.ada], key: "b"),
            ]
            let answers = try await fixture.publishTogether(entries.map(Self.publication))
            #expect(answers.map { try? $0.get().map(\.created) } == [[2], nil, [1]])
            #expect(try await fixture.texts(of: .ada) == ["second", "first"])
            let state = try await fixture.store.state(of: .ada)
            #expect((state.seq, state.unread, state.total) == (2, 2, 2))
        }
    }

    @Test func `a batch grows among events for others`() async throws {
        try await withStore { fixture in
            let answers = try await fixture.publishTogether(
                [
                    fixture.entry("added", to: [.ada], things: 1), fixture.entry("said", to: [.bob]),
                    fixture.entry("said", to: [.ada]), fixture.entry("added", to: [.ada], things: 2),
                ].map(Self.publication))
            #expect(try answers.flatMap { try $0.get() }.map(\.updated) == [0, 0, 0, 1])
            #expect(try await fixture.texts(of: .ada).contains("renee added 3 things"))
            #expect(try await fixture.store.state(of: .ada).total == 2)
        }
    }

    @Test func `a push says what its notification says, whatever was published in the same commit`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let entries = try (0..<5).map { number in
                try fixture.entry("shouted", "text \(number)", to: [number == 3 ? .ada : .bob])
            }
            for answer in try await fixture.publishTogether(entries.map(Self.publication)) { _ = try answer.get() }
            #expect(try await fixture.job(at: .at(1)).body == "text 3")
        }
    }

    @Test func `inboxes that were forgotten in the middle of a commit are found again as they were left`() async throws
    {
        let configure: StoreFixture.Configuration = { $0.cachedInboxes = 2 }
        try await withStore(configure) { fixture in
            let people = Self.people(9)
            let entries = try (0..<27).map { try fixture.entry("said", "\($0)", to: [people[$0 % 9]]) }
            for answer in try await fixture.publishTogether(entries.map(Self.publication)) { _ = try answer.get() }
            for user in people {
                #expect(fixture.told(to: user).map(\.stamp.seq) == [1, 2, 3])
                #expect(try await fixture.store.state(of: user).unread == 3)
            }
            #expect(fixture.commits.count == 1)
        }
    }

    private static func publication(_ entry: Publication.Entry) -> Publication {
        Publication(publisher: "backend", entries: [entry], now: .at(0))
    }
}

extension StoreFixture {
    /// Publishes without waiting for the answer.
    fileprivate func submit(_ text: String, to user: UserID) throws {
        let entry = try entry("said", text, to: [user])
        store.publish(Publication(publisher: "backend", entries: [entry], now: .at(0))) { _ in }
    }
}
