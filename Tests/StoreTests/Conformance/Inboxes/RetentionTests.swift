import Inbox
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct RetentionTests {
    @Test func `notifications that are too old go, as if they had been removed`() async throws {
        let configure: StoreFixture.Configuration = { ($0.erasuresPerStep, $0.inboxesPerLook) = (2, 1) }
        try await withStore(configure) { fixture in
            for (second, text) in ["a", "b", "c", "d", "e"].enumerated() {
                try await fixture.say(text, to: .ada, .bob, at: .at(Int64(second) * 60))
            }
            try await fixture.say("only new", to: .cleo, at: .at(600))
            let position = InboxPosition(epoch: try await fixture.store.state(of: .ada).epoch, seq: 5)
            #expect(try await fixture.store.trimInboxes(olderThan: .at(180)) == 6)
            for user in [UserID.ada, .bob] {
                #expect(try await fixture.texts(of: user) == ["e", "d"])
                let state = try await fixture.store.state(of: user)
                #expect((state.unread, state.unseen, state.total) == (2, 2, 2))
            }
            #expect(try await fixture.texts(of: .cleo) == ["only new"])
            // A session that was away hears of it, with no number missing.
            guard case .changes(let changes) = try await fixture.store.recover(.ada, from: position).result else {
                return #expect(Bool(false), "no resume")
            }
            #expect(changes.map(\.stamp.seq) == [6, 7])
            #expect(changes.last?.stamp.unread == 2)
            #expect(try await fixture.store.trimInboxes(olderThan: .at(180)) == 0)
            #expect(try await fixture.statistics().contents == 3)
        }
    }

    @Test func `notifications age from when they were stored, whatever their events say`() async throws {
        try await withStore { fixture in
            let century = Timestamp.at(100 * 365 * 24 * 3_600)
            _ = try await fixture.publish(
                fixture.entry("said", "from the future", to: [.ada], occurredAt: century), at: .at(0))
            _ = try await fixture.publish(
                fixture.entry("said", "from the past", to: [.ada, .bob], occurredAt: .at(-1_000_000)), at: .at(600))
            #expect(try await fixture.store.trimInboxes(olderThan: .at(0)) == 0)
            #expect(try await fixture.store.trimInboxes(olderThan: .at(600)) == 1)
            for user in [UserID.ada, .bob] {
                let notifications = try await fixture.store.page(of: user).notifications
                #expect(notifications.map(\.content.displayText) == ["from the past"])
                // People read when it happened.
                #expect(notifications.map(\.createdAt) == [.at(-1_000_000)])
            }
            #expect(try await fixture.store.trimInboxes(olderThan: .at(601)) == 2)
        }
    }

    @Test func `a push of what is too old is not sent`() async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("old", to: .ada)
            try await fixture.store.trimInboxes(olderThan: .at(1))
            #expect(try await fixture.statistics().pushJobs == 0)
        }
    }

    @Test func `an inbox that grows beyond its maximum loses its oldest, some at a time`() async throws {
        let configure: StoreFixture.Configuration = { $0.maximumRows = 20 }
        try await withStore(configure) { fixture in
            for number in 1...22 { try await fixture.say("\(number)", to: .ada) }
            #expect(try await fixture.store.state(of: .ada).total == 22)
            try await fixture.say("23", to: .ada)
            let state = try await fixture.store.state(of: .ada)
            #expect((state.total, state.unread, state.seq) == (20, 20, 24))
            #expect(try await fixture.texts(of: .ada) == (4...23).reversed().map(String.init))
            let told = try #require(fixture.told(to: .ada).last)
            guard case .removed(.ids(let ids)) = told.kind else { return #expect(Bool(false), "nothing was removed") }
            #expect(ids.map(\.sequence) == [1, 2, 3])
            #expect(try await fixture.statistics().unreadDrift == 0)
        }
    }

    @Test func `a maximum that was lowered holds for inboxes to which nothing comes, too`() async throws {
        let fixture = try StoreFixture()
        for number in 1...9 { try await fixture.say("\(number)", to: .ada) }
        let again = try await fixture.reopened { ($0.maximumRows, $0.erasuresPerStep) = (5, 3) }
        #expect(try await again.store.trimInboxes(olderThan: nil) == 4)
        #expect(try await again.texts(of: .ada) == ["9", "8", "7", "6", "5"])
        await again.remove()
    }

    // MARK: Notifications that have come up again

    private static let raising = """
        catalog: tests
        actor: [id]
        events:
          said: {routes: [{to: people, type: SAID}]}
          chatted: {routes: [{to: people, type: CHATTED}]}
          gathered: {routes: [{to: people, type: GATHERED}]}
        types:
          SAID: {text: "{{text}}"}
          CHATTED:
            text: "{{things}}"
            batch: {window: 9h, by: [actor.id], count: things, nouns: {one: one, other: "{{count}}"}, bump: true}
          GATHERED:
            text: "{{things}} gathered"
            batch: {window: 9h, by: [actor.id], count: things, nouns: {one: one, other: "{{count}}"}}
        """

    private func grow(_ type: String, _ fixture: StoreFixture, at now: Timestamp) async throws {
        _ = try await fixture.publish(fixture.entry(type, to: [.ada]), at: now)
    }

    @Test func `beyond its maximum an inbox loses what stands lowest, whenever that came first`() async throws {
        try await withStore(yaml: Self.raising) {
            $0.maximumRows = 10
        } _: { fixture in
            try await grow("chatted", fixture, at: .at(0))
            try await grow("gathered", fixture, at: .at(0))
            for number in 1...9 { try await fixture.say("\(number)", to: .ada, at: .at(1)) }
            try await grow("chatted", fixture, at: .at(2))
            try await grow("gathered", fixture, at: .at(2))
            try await fixture.say("10", to: .ada, at: .at(3))
            // The notification that has grown in its place is the last of the list, and the one that came up again the
            // second.
            #expect(try await fixture.texts(of: .ada) == ["10", "2"] + (2...9).reversed().map(String.init))
            let state = try await fixture.store.state(of: .ada)
            #expect((state.total, state.unread) == (10, 10))
            #expect(try await fixture.statistics().unreadDrift == 0)
        }
    }

    @Test func `a maximum that was lowered takes what stands lowest, too, some at a time`() async throws {
        let fixture = try StoreFixture(yaml: Self.raising)
        try await grow("chatted", fixture, at: .at(0))
        for number in 1...6 { try await fixture.say("\(number)", to: .ada, at: .at(1)) }
        try await grow("chatted", fixture, at: .at(2))
        let again = try await fixture.reopened(yaml: Self.raising) { ($0.maximumRows, $0.erasuresPerStep) = (3, 2) }
        #expect(try await again.store.trimInboxes(olderThan: nil) == 4)
        #expect(try await again.texts(of: .ada) == ["2", "6", "5"])
        await again.remove()
    }

    @Test func `a notification that came up again ages from then, and an older one from when it came`() async throws {
        try await withStore(yaml: Self.raising) { fixture in
            try await grow("chatted", fixture, at: .at(0))
            try await grow("gathered", fixture, at: .at(1))
            try await fixture.say("later", to: .ada, at: .at(60))
            try await grow("chatted", fixture, at: .at(120))
            try await grow("gathered", fixture, at: .at(120))
            #expect(try await fixture.store.trimInboxes(olderThan: .at(60)) == 1)
            #expect(try await fixture.texts(of: .ada) == ["2", "later"])
            #expect(try await fixture.store.trimInboxes(olderThan: .at(120)) == 1)
            #expect(try await fixture.texts(of: .ada) == ["2"])
            // People read when it began.
            #expect(try await fixture.store.page(of: .ada).notifications.map(\.createdAt) == [.at(0)])
            #expect(try await fixture.store.trimInboxes(olderThan: .at(121)) == 1)
        }
    }
}
