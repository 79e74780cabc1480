import Inbox
import JSON
import Testing

@testable import SQLiteStore
@testable import Store

/// Keys of events that share a commit, where they are looked up together.
struct SharedKeyTests {
    private static func publication(_ entries: Publication.Entry...) -> Publication {
        Publication(publisher: "backend", entries: entries, now: .at(0))
    }

    @Test func `a key stands for its event among those that join the commit later`() async throws {
        try await withStore { fixture in
            let first = try fixture.entry("said", to: [.ada], key: "k")
            let joining = try ["new", "k", "newer"].map {
                Self.publication(try fixture.entry("said", to: [.ada], key: $0))
            }
            let (answers, continuation) = AsyncStream.makeStream(of: Result<[PublishOutcome], StoreError>.self)
            try await fixture.whileHeld {
                fixture.store.publish(Self.publication(first)) { continuation.yield($0) }
                fixture.write { (_: Result<Void, StoreError>) in
                } _: { [store = fixture.store] _ in
                    for publication in joining { store.publish(publication) { continuation.yield($0) } }
                    return .success(())
                }
            }
            var outcomes: [PublishOutcome] = []
            for await answer in answers.prefix(4) { outcomes += try answer.get() }
            #expect(outcomes.map(\.isReplay) == [false, false, true, false])
            #expect(outcomes[2].event == first.id)
            #expect(fixture.commits.map(\.inboxes.count) == [3])
        }
    }

    @Test func `a key that is taken back is new to what comes behind it in the same commit`() async throws {
        try await withStore { fixture in
            let catalogs = try StoreFixture.catalogs()
            _ = try await fixture.publish(fixture.entry("said", "one", to: [.ada], key: "k"))
            let entries = try ["k", "new", "k"].map { try fixture.entry("said", "two", to: [.ada], key: $0) }
            let (answers, continuation) = AsyncStream.makeStream(of: Result<[PublishOutcome], StoreError>.self)
            try await fixture.whileHeld {
                fixture.store.retract(key: "k", by: "backend", catalogs: catalogs, at: .at(0)) { _ in }
                for entry in entries { fixture.store.publish(Self.publication(entry)) { continuation.yield($0) } }
            }
            var outcomes: [PublishOutcome] = []
            for await answer in answers.prefix(3) { outcomes += try answer.get() }
            #expect(outcomes.map(\.isReplay) == [false, false, true])
            #expect(outcomes[2].event == entries[0].id)
            #expect(try await fixture.texts(of: .ada) == ["two", "two"])
            #expect(fixture.commits.count == 2)
        }
    }

    @Test func `a key of the commit before is known where topics have made that one too long for all`() async throws {
        let configure: StoreFixture.Configuration = { $0.rowsPerCommit = 20 }
        try await withStore(configure) { fixture in
            let users = (0..<25).map { UserID.user("user-\($0)") }
            try await fixture.store.replaceMembers(of: "room", with: users)
            let event = Event(
                type: "said", key: "k", to: [.init(name: "people", topics: ["room"])], data: ["text": "hi"])
            let (first, again) = (try fixture.entry(event), try fixture.entry(event))
            let others = try ["new", "newer"].map { try fixture.entry("said", to: [.ada], key: $0) }
            let entries = [first, others[0], again, others[1]]
            let answers = try await fixture.publishTogether(entries.map { Self.publication($0) })
            let outcomes = try answers.flatMap { try $0.get() }
            #expect(outcomes.map(\.isReplay) == [false, false, true, false])
            #expect(outcomes[2].event == first.id)
            #expect(fixture.commits.map(\.inboxes.count) == [25, 2])
        }
    }

    @Test func `a key of a neighbour that failed is new, and that of one that did not is known`() async throws {
        try await withStore { fixture in
            try await fixture.refuseEvents(where: "NEW.type = 'shouted'")
            let publications = try [
                Self.publication(fixture.entry("said", to: [.ada], key: "a")),
                Self.publication(fixture.entry("shouted", to: [.ada], key: "b")),
                Self.publication(
                    fixture.entry("said", to: [.ada], key: "a"), fixture.entry("said", to: [.ada], key: "b"),
                    fixture.entry("said", to: [.ada], key: "c")),
                Self.publication(fixture.entry("said", to: [.ada], key: "b")),
            ]
            let answers = try await fixture.publishTogether(publications)
            let replays = answers.map { try? $0.get().map(\.isReplay) }
            #expect(replays == [[false], nil, [true, false, false], [true]])
            #expect(try await fixture.store.state(of: .ada).total == 3)
        }
    }
}
