import Inbox
import JSON
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct TopicTests {
    private static let many = (0..<25).map { UserID.user("user-\($0)") }

    @Test func `a topic has the members that were set last`() async throws {
        try await withStore { fixture in
            let store = fixture.store
            #expect(try await store.members(of: "room:1") == nil)
            let first = try await store.replaceMembers(of: "room:1", with: [.ada, .bob])
            #expect(first == TopicOutcome(added: 2))
            #expect(try await store.members(of: "room:1")?.members == [.ada, .bob])
            #expect(
                try await store.replaceMembers(of: "room:1", with: [.bob, .cleo]) == TopicOutcome(added: 1, removed: 1))
            #expect(try await store.members(of: "room:1")?.members == [.bob, .cleo])
            #expect(try await store.replaceMembers(of: "room:1", with: []) == TopicOutcome(removed: 2))
            #expect(try await store.members(of: "room:1") == nil)
        }
    }

    @Test func `members come and go one by one, and twice changes nothing`() async throws {
        try await withStore { fixture in
            let store = fixture.store
            let first = try await store.changeMembers(of: "t", adding: [.ada, .ada, .bob])
            #expect(first == TopicOutcome(added: 2))
            #expect(
                try await store.changeMembers(of: "t", adding: [.bob], removing: [.cleo, .ada])
                    == TopicOutcome(removed: 1))
            #expect(try await store.isMember(.bob, of: "t"))
            #expect(try await store.isMember(.ada, of: "t") == false)
            #expect(try await store.changeMembers(of: "nobody's", removing: [.ada]) == TopicOutcome())
            #expect(try await store.members(of: "nobody's") == nil)
        }
    }

    @Test func `many members are written in steps and read in pages`() async throws {
        let configure: StoreFixture.Configuration = { $0.membersPerStep = 4 }
        try await withStore(configure) { fixture in
            let store = fixture.store
            #expect(try await store.replaceMembers(of: "t", with: Self.many).added == 25)
            let half = Array(Self.many[..<12])
            #expect(try await store.replaceMembers(of: "t", with: half) == TopicOutcome(removed: 13))
            var (seen, last): ([UserID], UserID?) = ([], nil)
            while let page = try await store.members(of: "t", after: last, limit: 5) {
                #expect(page.count == 12)
                seen += page.members
                last = page.members.last
                if !page.hasMore { break }
            }
            #expect(seen == half)
        }
    }

    @Test func `of two calls that replace all members at once one holds and the other knows`() async throws {
        let configure: StoreFixture.Configuration = { $0.membersPerStep = 3 }
        try await withStore(configure) { fixture in
            let store = fixture.store
            let evens = Self.many.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            let odds = Self.many.filter { !evens.contains($0) }
            let (outcomes, told) = AsyncStream.makeStream(of: (place: Int, outcome: TopicOutcome?).self)
            // Neither is done before the other has begun.
            try await fixture.whileHeld {
                for (place, users) in [evens, odds].enumerated() {
                    store.replaceMembers(of: "t", with: users) { told.yield((place, try? $0.get())) }
                }
            }
            var areOvertaken: [Bool?] = [nil, nil]
            for await (place, outcome) in outcomes.prefix(2) { areOvertaken[place] = outcome?.isOvertaken }
            #expect(areOvertaken.count(where: { $0 == true }) == 1)
            let members = try #require(try await store.members(of: "t")).members
            #expect(Set(members) == Set(areOvertaken[0] == true ? odds : evens))
        }
    }

    @Test func `a person's topics are told by name`() async throws {
        try await withStore { fixture in
            for topic in ["room:2", "role:admin", "room:1"] {
                try await fixture.store.changeMembers(of: topic, adding: [.ada])
            }
            #expect(try await fixture.store.topics(of: .ada) == ["role:admin", "room:1", "room:2"])
            #expect(try await fixture.store.topics(of: .bob) == [])
        }
    }

    @Test func `an event reaches those who are in its topics when it comes, each once`() async throws {
        try await withStore { fixture in
            try await fixture.store.replaceMembers(of: "a", with: [.ada, .bob])
            try await fixture.store.replaceMembers(of: "b", with: [.bob, .cleo])
            let event = Event(
                type: "said", actor: ["id": "cleo"],
                to: [.init(name: "people", users: [.ada], topics: ["a", "b", "nobody's"])], data: ["text": "hi"])
            let outcome = try #require(try await fixture.publish(fixture.entry(event)).first)
            #expect(outcome.created == 2)
            #expect(outcome.suppressed == 1)
            #expect(outcome.broadcast == nil)
            try await fixture.store.changeMembers(of: "a", adding: [.cleo])
            #expect(try await fixture.texts(of: .bob) == ["hi"])
            #expect(try await fixture.texts(of: .cleo) == [])
        }
    }
}
