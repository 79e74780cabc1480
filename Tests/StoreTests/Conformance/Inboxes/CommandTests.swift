import Inbox
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct CommandTests {
    private func withThree(_ body: (StoreFixture, [NotificationID]) async throws -> Void) async throws {
        try await withStore { fixture in
            for text in ["one", "two", "three"] { try await fixture.say(text, to: .ada, .bob) }
            try await body(fixture, try await fixture.ids(of: .ada).reversed())
        }
    }

    @Test func `reading ids counts each that was unread once, and makes it seen`() async throws {
        try await withThree { fixture, ids in
            let outcome = try await fixture.store.apply(.read(.ids([ids[0], ids[2], ids[0]])), for: .ada)
            #expect(outcome.count == 2)
            #expect((outcome.state.unread, outcome.state.unseen, outcome.state.seq) == (1, 1, 4))
            let page = try await fixture.store.page(of: .ada)
            #expect(page.notifications.map(\.isRead) == [true, false, true])
            #expect(page.notifications.map(\.isSeen) == [true, false, true])
            let told = try #require(fixture.told(to: .ada).last)
            #expect(told.stamp == ChangeStamp(seq: 4, unread: 1, unseen: 1, delta: -2))
            guard case .read(.ids(let changed)) = told.kind else {
                Issue.record("not a read of ids")
                return
            }
            #expect(Set(changed) == [ids[0], ids[2]])
        }
    }

    @Test func `only what really changed is told and counted`() async throws {
        try await withThree { fixture, ids in
            try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada)
            let outcome = try await fixture.store.apply(.read(.ids([ids[0], ids[1]])), for: .ada)
            #expect(outcome.count == 1)
            guard case .read(.ids(let changed)) = fixture.told(to: .ada).last?.kind else {
                Issue.record("not a read of ids")
                return
            }
            #expect(changed == [ids[1]])
        }
    }

    @Test func `a command without effect takes no seq and is told to nobody`() async throws {
        try await withThree { fixture, ids in
            let bobs = try await fixture.ids(of: .bob)
            try await fixture.store.apply(.read(.upTo(3)), for: .ada)
            let commits = fixture.commits.count
            let idle: [InboxCommand] = [
                .read(.ids([ids[0]])), .read(.upTo(9)), .read(.ids(bobs)), .seen(upTo: 9), .remove(.ids(bobs)),
                .remove(.upTo(0)), .read(.ids([NotificationID(inbox: ids[0].inbox, sequence: 77)])), .read(.upTo(-1)),
            ]
            for command in idle {
                let outcome = try await fixture.store.apply(command, for: .ada)
                #expect(outcome.count == 0, "\(command)")
                #expect(outcome.state.seq == 4, "\(command)")
            }
            #expect(fixture.commits.count == commits)
            #expect(try await fixture.store.state(of: .bob).unread == 3)
        }
    }

    @Test func `reading up to a seq leaves what came or grew later as it is`() async throws {
        try await withStore { fixture in
            try await fixture.add(1, to: .ada)
            try await fixture.say("two", to: .ada)
            try await fixture.add(1, to: .ada)  // the first row's content is of seq 3 now
            let outcome = try await fixture.store.apply(.read(.upTo(2)), for: .ada)
            #expect(outcome.count == 1)
            #expect(try await fixture.store.page(of: .ada).notifications.map(\.isRead) == [true, false])
        }
    }

    @Test func `a seq that is yet to come is told as the one that was`() async throws {
        try await withThree { fixture, _ in
            try await fixture.store.apply(.read(.upTo(.max)), for: .ada)
            guard case .read(let selection) = fixture.told(to: .ada).last?.kind else {
                Issue.record("not a read")
                return
            }
            #expect(selection == .upTo(3))
        }
    }

    @Test func `seeing moves unseen and leaves unread`() async throws {
        try await withThree { fixture, ids in
            let outcome = try await fixture.store.apply(.seen(upTo: 2), for: .ada)
            #expect(outcome.count == 2)
            #expect((outcome.state.unread, outcome.state.unseen) == (3, 1))
            #expect(fixture.told(to: .ada).last?.stamp.delta == 0)
            #expect(try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada).state.unseen == 1)
        }
    }

    @Test func `removing takes rows and their counts away`() async throws {
        try await withThree { fixture, ids in
            try await fixture.store.apply(.read(.ids([ids[0]])), for: .ada)
            let outcome = try await fixture.store.apply(.remove(.ids([ids[0], ids[1]])), for: .ada)
            #expect(outcome.count == 2)
            #expect((outcome.state.total, outcome.state.unread, outcome.state.unseen) == (1, 1, 1))
            #expect(fixture.told(to: .ada).last?.stamp.delta == -1)
            #expect(try await fixture.texts(of: .ada) == ["three"])
            #expect(try await fixture.texts(of: .bob).count == 3)
        }
    }

    @Test func `removing up to the current seq clears the inbox`() async throws {
        try await withThree { fixture, _ in
            let seq = try await fixture.store.state(of: .ada).seq
            let outcome = try await fixture.store.apply(.remove(.upTo(seq)), for: .ada)
            #expect((outcome.count, outcome.state.total, outcome.state.unread) == (3, 0, 0))
            #expect(try await fixture.statistics().unreadDrift == 0)
        }
    }

    @Test func `a person without an inbox gets one by their first command`() async throws {
        try await withStore { fixture in
            let outcome = try await fixture.store.apply(.read(.upTo(5)), for: .cleo)
            #expect((outcome.count, outcome.state.seq) == (0, 0))
            #expect(try await fixture.store.state(of: .cleo).epoch == outcome.state.epoch)
        }
    }
}
