import Inbox
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct TrailSweepTests {
    private static let day: Int64 = 24 * 3_600

    @Test("decisions are forgotten when their time is over, and so are the fates of pushes") func old() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let old = try await fixture.event("said", to: .ada)
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            let young = try await fixture.event("said", to: .ada, at: .at(Self.day))
            try await fixture.say("sweeps", to: .bob, at: .at(7 * Self.day + 1))
            #expect(try await fixture.store.trail(of: TrailQuery(.id(old))) == nil)
            #expect(try await fixture.report(young).recipients.count == 1)
        }
    }

    @Test("an event with a key can be taken back for as long as one of its notifications is there")
    func keyed() async throws {
        try await withStore { fixture in
            let entry = try fixture.entry("said", to: [.ada, .user("renee")], key: "k")
            _ = try await fixture.publish(entry)
            try await fixture.say("sweeps", to: .bob, at: .at(8 * Self.day))
            // People who got nothing are forgotten like all decisions.
            #expect(try await fixture.report(entry.id).recipients.map(\.user) == [.ada])
            let catalogs = try StoreFixture.catalogs()
            let retraction = try await fixture.store.retract("k", catalogs, at: .at(8 * Self.day))
            #expect(retraction == Retraction(event: entry.id, removed: 1))
            #expect(try await fixture.texts(of: .ada) == [])
            // A day later it is looked at again.
            try await fixture.say("sweeps", to: .bob, at: .at(9 * Self.day + 1))
            #expect(try await fixture.store.trail(of: TrailQuery(.id(entry.id))) == nil)
        }
    }

    @Test("a later page tells whose event it was and when, though the first page is gone")
    func laterPage() async throws {
        let configure: StoreFixture.Configuration = { $0.recipientsPerPage = 1 }
        try await withStore(configure) { fixture in
            let entry = try fixture.entry("said", to: [.ada, .bob], key: "k", occurredAt: .at(-60))
            _ = try await fixture.publish(entry)
            while try await fixture.store.deliverPage(of: entry.id, by: fixture.catalog)?.state == .working {}
            let before = try await fixture.report(entry.id).event
            // The first page, which was written before anybody was told, has nobody in it.
            try await fixture.say("sweeps", to: .cleo, at: .at(8 * Self.day))
            let report = try await fixture.report(entry.id)
            #expect(Set(report.recipients.map(\.user)) == [.ada, .bob])
            #expect(report.event == before)
            #expect((report.event.actor, report.event.occurredAt) == ("renee", .at(-60)))
            let personal = try #require(try await fixture.store.trail(of: .bob))
            #expect(personal.entries.map(\.event) == [before])
        }
    }

    @Test("an event with a key goes with the last of its notifications") func keyedAndRemoved() async throws {
        try await withStore { fixture in
            let event = try await fixture.event("said", to: .ada, key: "k")
            try await fixture.store.apply(.remove(.upTo(1)), for: .ada)
            try await fixture.say("sweeps", to: .bob, at: .at(8 * Self.day))
            #expect(try await fixture.store.trail(of: TrailQuery(.id(event))) == nil)
        }
    }

    @Test("a backlog goes in steps, and none of them is missed") func backlog() async throws {
        try await withStore { fixture in
            var entries: [Publication.Entry] = []
            for number in 0..<1_200 {
                entries.append(try fixture.entry("said", to: [.ada], key: number % 2 == 0 ? "k\(number)" : nil))
            }
            _ = try await fixture.store.publish(Publication(publisher: "backend", entries: entries, now: .at(0)))
            for step in 0..<3 { try await fixture.say("sweeps", to: .bob, at: .at(8 * Self.day + Int64(step))) }
            for (number, entry) in entries.enumerated() {
                let isKnown = try await fixture.store.trail(of: TrailQuery(.id(entry.id))) != nil
                #expect(isKnown == (number % 2 == 0))
            }
        }
    }

    @Test("a store to which nobody publishes forgets, too, as much as there is") func quiet() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let entries = try (0..<1_200).map { number in
                try fixture.entry("said", to: [.ada], key: number == 0 ? "k" : nil)
            }
            _ = try await fixture.store.publish(Publication(publisher: "backend", entries: entries, now: .at(0)))
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            #expect(try await fixture.store.sweepTrail(at: .at(7 * Self.day)) == 0)
            // The event with a key has a notification still; the step tells of its push.
            let end = Timestamp.at(7 * Self.day + 120)
            #expect(try await fixture.store.sweepTrail(at: end) == 1_199)
            for (number, entry) in entries.enumerated() {
                let isKnown = try await fixture.store.trail(of: TrailQuery(.id(entry.id))) != nil
                #expect(isKnown == (number == 0))
            }
            #expect(try await fixture.store.sweepTrail(at: end) == 0)
        }
    }
}
