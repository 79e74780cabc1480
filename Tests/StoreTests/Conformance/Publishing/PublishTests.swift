import Inbox
import PostgresStore
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct PublishTests {
    @Test func `a fan-out gives each recipient a row and a count, and writes its content once`() async throws {
        try await withStore { fixture in
            let entry = try fixture.entry("said", "hello", to: [.ada, .bob, .user("renee")])
            let outcome = try await fixture.publish(entry)
            #expect(
                outcome == [
                    PublishOutcome(
                        event: entry.id, recipients: 2, created: 2, updated: 0, suppressed: 1, isReplay: false)
                ])
            for user in [UserID.ada, .bob] {
                let page = try await fixture.store.page(of: user)
                #expect(page.texts == ["hello"])
                #expect((page.state.seq, page.state.unread, page.state.unseen, page.state.total) == (1, 1, 1, 1))
            }
            #expect(try await fixture.statistics().contents == 1)
        }
    }

    @Test func `a commit tells each recipient's change with the counts right after it`() async throws {
        try await withStore { fixture in
            try await fixture.say("one", to: .ada, .bob)
            try await fixture.say("two", to: .ada)
            let told = fixture.told(to: .ada)
            #expect(
                told.map(\.stamp) == [
                    ChangeStamp(seq: 1, unread: 1, unseen: 1, delta: 1),
                    ChangeStamp(seq: 2, unread: 2, unseen: 2, delta: 1),
                ])
            guard case .new(let notification) = told[1].kind else {
                Issue.record("not a new notification")
                return
            }
            #expect(notification.content.displayText == "two")
            #expect((notification.id.sequence, notification.rev, notification.seq) == (2, 1, 2))
        }
    }

    @Test func `each group gets the type it was routed to`() async throws {
        try await withStore { fixture in
            let outcome = try await fixture.publish(fixture.entry("added", "note", to: [.ada], others: [.bob]))
            #expect(outcome.first?.created == 2)
            #expect(try await fixture.texts(of: .ada) == ["renee added one thing"])
            #expect(try await fixture.texts(of: .bob) == ["note"])
        }
    }

    @Test func `the time of a notification is the event's own if it has one`() async throws {
        try await withStore { fixture in
            _ = try await fixture.publish(fixture.entry("said", to: [.ada], occurredAt: .at(5)), at: .at(60))
            try await fixture.say("later", to: .ada, at: .at(70))
            #expect(try await fixture.store.page(of: .ada).notifications.map(\.createdAt) == [.at(70), .at(5)])
        }
    }

    // MARK: Batches

    @Test func `a batch grows in place and leaves the count alone`() async throws {
        try await withStore { fixture in
            try await fixture.add(2, to: .ada, at: .at(0))
            let outcome = try await fixture.add(3, to: .ada, at: .at(100))
            #expect((outcome.recipients, outcome.created, outcome.updated) == (1, 0, 1))
            let page = try await fixture.store.page(of: .ada)
            let notification = try #require(page.notifications.first)
            #expect(page.texts == ["renee added 5 things"])
            #expect((notification.id.sequence, notification.rev, notification.seq) == (1, 2, 2))
            #expect(notification.createdAt == .at(0))
            #expect((page.state.seq, page.state.unread, page.state.total) == (2, 1, 1))
            #expect(fixture.told(to: .ada).map(\.stamp.delta) == [1, 0])
        }
    }

    @Test func `recipients who share a content share the grown one, and the old one goes with its last row`()
        async throws
    {
        try await withStore { fixture in
            try await fixture.add(1, to: .ada, .bob, .cleo)
            try await fixture.store.apply(.read(.upTo(1)), for: .cleo)
            let outcome = try await fixture.add(1, to: .ada, .bob, .cleo)
            #expect((outcome.created, outcome.updated) == (1, 2))
            let ada = try await fixture.store.page(of: .ada).notifications.first
            let bob = try await fixture.store.page(of: .bob).notifications.first
            // An engine without contents in memory makes one for each reader; the rows are shared all the same.
            #expect(ada?.content === bob?.content || fixture.store is PostgresStore)
            #expect(try await fixture.texts(of: .cleo) == ["renee added one thing", "renee added one thing"])
            // The grown one, cleo's closed one and cleo's new one.
            #expect(try await fixture.statistics().contents == 3)
            for user in [UserID.ada, .bob, .cleo] { try await fixture.store.apply(.remove(.upTo(9)), for: user) }
            #expect(try await fixture.statistics().contents == 0)
        }
    }

    @Test func `an event outside the window begins a new batch, which is the open one from then on`() async throws {
        try await withStore { fixture in
            try await fixture.add(1, to: .ada, at: .at(0))
            try await fixture.add(2, to: .ada, at: .at(300))
            try await fixture.add(4, to: .ada, at: .at(301))
            #expect(try await fixture.texts(of: .ada) == ["renee added 6 things", "renee added one thing"])
        }
    }

    @Test func `key and window come from event time, whatever the order of arrival`() async throws {
        try await withStore { fixture in
            _ = try await fixture.publish(fixture.entry("added", to: [.ada], occurredAt: .at(200)), at: .at(900))
            _ = try await fixture.publish(fixture.entry("added", to: [.ada], occurredAt: .at(0)), at: .at(901))
            _ = try await fixture.publish(fixture.entry("added", to: [.ada], occurredAt: .at(299)), at: .at(902))
            _ = try await fixture.publish(fixture.entry("added", to: [.ada], occurredAt: .at(300)), at: .at(903))
            #expect(try await fixture.texts(of: .ada) == ["renee added one thing", "renee added 3 things"])
        }
    }

    @Test func `other actors have batches of their own`() async throws {
        try await withStore { fixture in
            try await fixture.add(1, to: .ada)
            _ = try await fixture.publish(fixture.entry("added", to: [.ada], actor: "pete"))
            try await fixture.add(1, to: .ada)
            #expect(try await fixture.texts(of: .ada) == ["pete added one thing", "renee added 2 things"])
        }
    }

    @Test(arguments: [InboxCommand.read(.upTo(1)), .remove(.upTo(1))])
    func `reading or removing ends a batch`(_ command: InboxCommand) async throws {
        try await withStore { fixture in
            try await fixture.add(1, to: .ada)
            try await fixture.store.apply(command, for: .ada)
            let outcome = try await fixture.add(1, to: .ada)
            #expect((outcome.created, outcome.updated) == (1, 0))
        }
    }

    @Test func `having seen a batch does not end it`() async throws {
        try await withStore { fixture in
            try await fixture.add(1, to: .ada)
            try await fixture.store.apply(.seen(upTo: 1), for: .ada)
            #expect(try await fixture.add(1, to: .ada).updated == 1)
            let state = try await fixture.store.state(of: .ada)
            // The added notification is unseen.
            #expect((state.unread, state.unseen) == (1, 1))
        }
    }

    @Test func `a batch goes on after the store was opened again`() async throws {
        try await withStore { first in
            try await first.add(2, to: .ada)
            let second = try await first.reopened()
            try await second.add(3, to: .ada)
            #expect(try await second.texts(of: .ada) == ["renee added 5 things"])
            await second.store.close()
        }
    }

    @Test func `events of one publication grow one batch`() async throws {
        try await withStore { fixture in
            let outcomes = try await fixture.publish(
                fixture.entry("added", to: [.ada, .bob], things: 1),
                fixture.entry("added", to: [.ada, .bob], things: 2))
            #expect(outcomes.map(\.created) == [2, 0])
            #expect(outcomes.map(\.updated) == [0, 2])
            #expect(try await fixture.texts(of: .bob) == ["renee added 3 things"])
            #expect(try await fixture.statistics().contents == 1)
        }
    }
}
