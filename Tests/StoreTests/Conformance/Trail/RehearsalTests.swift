import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct RehearsalTests {
    @Test("a rehearsal tells who would get what, those who would get nothing included") func tells() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            let entry = try fixture.entry("said", "hello", to: [.ada, .bob, .user("renee")])
            let publication = Publication(publisher: "backend", entries: [entry], now: .at(0))
            let rehearsal = try #require(try await fixture.store.rehearse(publication).first)
            #expect((rehearsal.outcome.created, rehearsal.outcome.suppressed, rehearsal.people) == (2, 1, 3))
            #expect(rehearsal.recipients.map(\.user) == [.ada, .bob, .user("renee")])
            #expect(
                rehearsal.recipients.map(\.decision) == [
                    .created(.queued(devices: 1, due: .at(0), hold: .none)), .created(.noDevice), .isActor,
                ])
            #expect(rehearsal.recipients.map(\.content?.displayText) == ["hello", "hello", nil])
            #expect(rehearsal.recipients.first?.content?.push?.title == "Said")
            // Publishing it does what was told, and finds nothing of the rehearsal.
            let outcome = try #require(try await fixture.publish(entry).first)
            #expect(outcome == rehearsal.outcome)
        }
    }

    @Test("a rehearsal changes nothing, neither on the disk nor in memory, and nobody hears of it")
    func leavesNothing() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.add(2, to: .ada)
            let job = try await fixture.job(at: .at(0))
            let (commits, before) = (fixture.commits.count, try await fixture.statistics())
            let entries = [
                try fixture.entry("added", to: [.ada, .bob], key: "k", things: 3),
                try fixture.entry("said", to: [.ada, .cleo]),
            ]
            let publication = Publication(publisher: "backend", entries: entries, now: .at(1))
            let rehearsals = try await fixture.store.rehearse(publication)
            #expect(rehearsals.map(\.outcome.updated) == [1, 0])
            #expect(rehearsals[0].recipients.first?.content?.displayText == "renee added 5 things")
            #expect(fixture.commits.count == commits)
            #expect(try await fixture.statistics() == before)
            #expect(try await fixture.texts(of: .ada) == ["renee added 2 things"])
            #expect(try await fixture.store.trail(of: TrailQuery(.id(entries[0].id))) == nil)
            // The lease that was given before holds still, and the writer counts on from where it was.
            #expect(try await fixture.store.leasePushJobs(at: .at(2)).jobs.isEmpty)
            try await fixture.store.settle(job, as: .finish, at: .at(2))
            try await fixture.say("next", to: .ada, at: .at(3))
            #expect(try await fixture.store.state(of: .ada).seq == 2)
            #expect(try await fixture.store.leasePushJobs(at: .at(3)).jobs.map(\.body) == ["next"])
            // The key is free, and the batch grows as if nothing had been.
            let outcome = try #require(try await fixture.publish(entries[0], at: .at(4)).first)
            #expect((outcome.isReplay, outcome.updated) == (false, 1))
            #expect(try await fixture.texts(of: .ada) == ["next", "renee added 5 things"])
        }
    }

    @Test("a rehearsal of what was published before is the answer of then") func replay() async throws {
        try await withStore { fixture in
            let entry = try fixture.entry("said", to: [.ada], key: "k")
            _ = try await fixture.publish(entry)
            let publication = Publication(publisher: "backend", entries: [entry], now: .at(1))
            let rehearsal = try #require(try await fixture.store.rehearse(publication).first)
            #expect((rehearsal.outcome.isReplay, rehearsal.outcome.created) == (true, 1))
            #expect(try await fixture.report(entry.id).event.repeats == 0)
        }
    }

    @Test("of many recipients the first are told, and all are counted") func limit() async throws {
        try await withStore { fixture in
            let entry = try fixture.entry("said", to: (0..<300).map { .user("user-\($0)") })
            let publication = Publication(publisher: "backend", entries: [entry], now: .at(0))
            let rehearsal = try #require(try await fixture.store.rehearse(publication, limit: 100).first)
            #expect((rehearsal.recipients.count, rehearsal.people) == (100, 300))
        }
    }

    @Test("of an event for many all are counted, and the first page is told") func many() async throws {
        let configure: StoreFixture.Configuration = { $0.recipientsPerPage = 10 }
        try await withStore(configure) { fixture in
            let users = (0..<35).map { UserID.user("user-\($0)") }
            try await fixture.store.register(.phone(), for: users[33])
            let (commits, before) = (fixture.commits.count, try await fixture.statistics())
            let entry = try fixture.entry("said", to: users + [.user("renee")])
            let publication = Publication(publisher: "backend", entries: [entry], now: .at(0))
            let rehearsal = try #require(try await fixture.store.rehearse(publication).first)
            #expect((rehearsal.outcome.created, rehearsal.outcome.recipients) == (35, 35))
            #expect((rehearsal.outcome.suppressed, rehearsal.people, rehearsal.isWhole) == (1, 36, true))
            #expect(rehearsal.recipients.map(\.user) == [.user("renee")] + users.prefix(10))
            #expect(rehearsal.recipients.last?.content?.displayText == "hi")
            #expect(try await fixture.statistics() == before)
            #expect(fixture.commits.count == commits)
        }
    }

    @Test("of an event for everybody those are counted who have an inbox, and each once") func everybody() async throws
    {
        let configure: StoreFixture.Configuration = { $0.recipientsPerPage = 4 }
        try await withStore(configure) { fixture in
            for number in 0..<10 { try await fixture.say("before", to: .user("user-\(number)")) }
            let event = Event(
                type: "added", actor: ["id": "user-2", "username": "two"],
                to: [
                    .init(name: "people", users: [.user("user-5"), .ada]), .init(name: "others", isEverybody: true),
                ],
                data: ["text": "hi", "things": [1]])
            let publication = Publication(publisher: "backend", entries: [try fixture.entry(event)], now: .at(0))
            let rehearsal = try #require(try await fixture.store.rehearse(publication).first)
            #expect((rehearsal.outcome.created, rehearsal.outcome.suppressed) == (10, 1))
            #expect((rehearsal.people, rehearsal.isWhole) == (11, true))
            // As when it is published.
            let outcome = try #require(try await fixture.publish(fixture.entry(event)).first)
            try await fixture.store.deliverAll(of: outcome.event, by: fixture.catalog)
            let ended = try #require(try await fixture.store.broadcast(of: outcome.event))
            #expect((ended.created, ended.suppressed, ended.total) == (10, 1, 11))
        }
    }

    @Test("of a great many people some are tried, and that is said") func room() async throws {
        let configure: StoreFixture.Configuration = { ($0.recipientsPerPage, $0.rehearsedRecipients) = (10, 20) }
        try await withStore(configure) { fixture in
            let entry = try fixture.entry("said", to: (0..<35).map { .user("user-\($0)") })
            let publication = Publication(publisher: "backend", entries: [entry], now: .at(0))
            let rehearsal = try #require(try await fixture.store.rehearse(publication).first)
            #expect((rehearsal.outcome.created, rehearsal.people, rehearsal.isWhole) == (20, 35, false))
        }
    }

    @Test("publishes before and after a rehearsal are kept, whatever commits together") func among() async throws {
        try await withStore { fixture in
            let entries = try (0..<40).map { try fixture.entry("said", "\($0)", to: [.ada]) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (number, entry) in entries.enumerated() {
                    let publication = Publication(publisher: "backend", entries: [entry], now: .at(0))
                    let store = fixture.store
                    group.addTask {
                        if number % 2 == 0 {
                            _ = try await store.publish(publication)
                        } else {
                            _ = try await store.rehearse(publication)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let state = try await fixture.store.state(of: .ada)
            #expect((state.seq, state.unread) == (20, 20))
            #expect(try await fixture.statistics().contents == 20)
        }
    }
}
