import Inbox
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct IdempotencyTests {
    @Test func `a key that was seen gives the first answer again and changes nothing`() async throws {
        try await withStore { fixture in
            let first = try await fixture.publish(fixture.entry("said", to: [.ada, .bob], key: "k"))
            let second = try await fixture.publish(fixture.entry("said", to: [.ada, .bob], key: "k"))
            var expected = first
            expected[0].isReplay = true
            #expect(second == expected)
            #expect(try await fixture.store.state(of: .ada).seq == 1)
            #expect(fixture.commits.count == 1)
        }
    }

    @Test func `a key with another event is refused, and nothing of the publication is kept`() async throws {
        try await withStore { fixture in
            _ = try await fixture.publish(fixture.entry("said", to: [.ada], key: "k"))
            await #expect(throws: StoreError.keyReused(index: 1)) {
                try await fixture.publish(
                    fixture.entry("said", to: [.ada], key: "fresh"),
                    fixture.entry("said", to: [.ada], key: "k", fingerprint: 8))
            }
            #expect(try await fixture.store.state(of: .ada).seq == 1)
            #expect(try await fixture.publish(fixture.entry("said", to: [.ada], key: "fresh")).first?.isReplay == false)
        }
    }

    @Test func `a key twice in one publication counts once`() async throws {
        try await withStore { fixture in
            let outcomes = try await fixture.publish(
                fixture.entry("said", to: [.ada], key: "k"), fixture.entry("said", to: [.ada], key: "k"))
            #expect(outcomes.map(\.isReplay) == [false, true])
            #expect(outcomes[0].event == outcomes[1].event)
            #expect(try await fixture.store.state(of: .ada).seq == 1)
            await #expect(throws: StoreError.keyReused(index: 1)) {
                try await fixture.publish(
                    fixture.entry("said", to: [.ada], key: "m"),
                    fixture.entry("said", to: [.ada], key: "m", fingerprint: 8))
            }
        }
    }

    @Test func `keys that only look alike are different keys`() async throws {
        try await withStore { fixture in
            let outcomes = try await fixture.publish(
                fixture.entry("said", to: [.ada], key: "e\u{301}"), fixture.entry("said", to: [.ada], key: "\u{E9}"))
            #expect(outcomes.map(\.isReplay) == [false, false])
            #expect(try await fixture.store.state(of: .ada).seq == 2)
        }
    }

    @Test func `keys of different publishers have nothing in common`() async throws {
        try await withStore { fixture in
            _ = try await fixture.publish(fixture.entry("said", to: [.ada], key: "k"), by: "one")
            let other = try await fixture.publish(
                fixture.entry("said", to: [.ada], key: "k", fingerprint: 8), by: "two")
            #expect(other.first?.isReplay == false)
        }
    }

    @Test(arguments: [(Int64(86_399), true), (86_400, false)])
    func `a key is remembered for a day`(_ seconds: Int64, isReplay: Bool) async throws {
        try await withStore { fixture in
            _ = try await fixture.publish(fixture.entry("said", to: [.ada], key: "k"), at: .at(0))
            let again = try await fixture.publish(fixture.entry("said", to: [.ada], key: "k"), at: .at(seconds))
            #expect(again.first?.isReplay == isReplay)
        }
    }

    @Test func `the answers to events are told again where all of them were taken in`() async throws {
        try await withStore { fixture in
            let first = try await fixture.publish(
                fixture.entry("said", to: [.ada, .bob], key: "a"), fixture.entry("said", to: [.ada], key: "b"))
            let expected = first.map { outcome in
                var outcome = outcome
                outcome.isReplay = true
                return outcome
            }
            func told(
                _ keys: String..., fingerprint: UInt64 = 7, by publisher: String = "backend",
                after seconds: Int64 = 86_399
            ) async throws -> [PublishOutcome]? {
                try await fixture.store.outcomes(
                    ofRepeated: keys.map { KeyedEvent(key: $0, fingerprint: fingerprint) }, by: publisher,
                    at: .at(seconds))
            }
            #expect(try await told("a", "b") == expected)
            #expect(try await told("b") == [expected[1]])
            #expect(try await told("a", "c") == nil)
            #expect(try await told("a", fingerprint: 8) == nil)
            #expect(try await told("a", by: "another") == nil)
            #expect(try await told("a", after: 86_400) == nil)
        }
    }

    @Test func `a key that comes twice within one commit counts once`() async throws {
        try await withStore { fixture in
            let publications = try (1...3).map { number in
                let entry = try fixture.entry("said", to: [.ada], key: "k", fingerprint: number < 3 ? 7 : 8)
                return Publication(publisher: "backend", entries: [entry], now: .at(0))
            }
            let results = try await fixture.publishTogether(publications)
            #expect(fixture.commits.count == 1)
            #expect(try results[0].get().map(\.isReplay) == [false])
            #expect(try results[1].get().map(\.isReplay) == [true])
            #expect(results[2] == .failure(.keyReused(index: 0)))
            #expect(try await fixture.store.state(of: .ada).seq == 1)
        }
    }

    @Test func `a key is remembered for its day, also where decisions are kept for a shorter time`() async throws {
        let configure: StoreFixture.Configuration = { $0.trailLifetime = .seconds(3_600) }
        try await withStore(configure) { fixture in
            let keyed = try fixture.entry("said", to: [.ada], key: "k")
            let first = try await fixture.publish(keyed, fixture.entry("said", to: [.ada]))
            let state = try await fixture.store.state(of: .ada)
            _ = try await fixture.store.apply(.remove(.upTo(state.seq)), for: .ada)
            try await fixture.say("sweeps", to: .bob, at: .at(7_200))
            let again = try await fixture.publish(fixture.entry("said", to: [.ada], key: "k"), at: .at(7_201))
            #expect(again.map(\.event) == [keyed.id])
            #expect(again.map(\.isReplay) == [true])
            #expect(try await fixture.store.trail(of: TrailQuery(.id(first[1].event))) == nil)
        }
    }

    @Test func `a key is remembered when the store is opened again`() async throws {
        try await withStore { first in
            let answer = try await first.publish(first.entry("said", to: [.ada], key: "k"))
            let second = try await first.reopened()
            let again = try await second.publish(second.entry("said", to: [.ada], key: "k"))
            #expect(again.first?.isReplay == true)
            #expect(again.first?.event == answer.first?.event)
            #expect(try await second.store.state(of: .ada).seq == 1)
            await second.store.close()
        }
    }

    @Test func `an event without a key is taken in every time`() async throws {
        try await withStore { fixture in
            try await fixture.say("one", to: .ada)
            try await fixture.say("one", to: .ada)
            #expect(try await fixture.store.state(of: .ada).total == 2)
        }
    }
}
