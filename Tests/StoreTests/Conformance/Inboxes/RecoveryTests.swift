import Inbox
import SQLiteStore
import Store
import Testing

@Suite(.everyEngine) struct RecoveryTests {
    private func position(_ fixture: StoreFixture, _ seq: Int64, of user: UserID = .ada) async throws -> InboxPosition {
        InboxPosition(epoch: try await fixture.store.state(of: user).epoch, seq: seq)
    }

    @Test func `a client that was away gets every change in order`() async throws {
        try await withStore { fixture in
            try await fixture.add(1, to: .ada)  // 1
            try await fixture.say("two", to: .ada)  // 2
            try await fixture.add(1, to: .ada)  // 3: grows 1
            try await fixture.store.apply(.seen(upTo: 2), for: .ada)  // 4
            try await fixture.store.apply(.read(.upTo(3)), for: .ada)  // 5
            let ids = try await fixture.ids(of: .ada)
            try await fixture.store.apply(.remove(.ids([ids[0]])), for: .ada)  // 6
            let recovery = try await fixture.store.recover(.ada, from: position(fixture, 0))
            let changes = try #require(recovery.changes)
            #expect(changes.map(\.stamp) == fixture.told(to: .ada).map(\.stamp))
            #expect(
                changes.map(\.kind.summary) == [
                    "new 1 rev 2", "removed [2]", "update 1 rev 2", "seen 2", "read ≤3", "removed [2]",
                ])
        }
    }

    @Test func `an update whose notification is gone is told as its removal`() async throws {
        try await withStore { fixture in
            try await fixture.add(1, to: .ada)
            try await fixture.add(1, to: .ada)
            try await fixture.store.apply(.remove(.upTo(2)), for: .ada)
            let changes = try await fixture.store.recover(.ada, from: position(fixture, 1)).changes
            #expect(changes?.map(\.kind.summary) == ["removed [1]", "removed ≤2"])
            #expect(changes?.map(\.stamp.unread) == [1, 0])
        }
    }

    @Test func `a client in sync gets nothing, and so does one without a position`() async throws {
        try await withStore { fixture in
            try await fixture.say("one", to: .ada)
            #expect(try await fixture.store.recover(.ada, from: position(fixture, 1)).changes?.isEmpty == true)
            let fresh = try await fixture.store.recover(.ada, from: nil)
            #expect(fresh.changes?.isEmpty == true)
            #expect(fresh.state.seq == 1)
            #expect(try await fixture.store.recover(.cleo, from: nil).state.seq == 0)
        }
    }

    @Test func `a position of another epoch, of the future or below zero starts anew with the newest`() async throws {
        try await withStore { fixture in
            for number in 1...25 { try await fixture.say("\(number)", to: .ada) }
            let epoch = try await fixture.store.state(of: .ada).epoch
            for position in [
                InboxPosition(epoch: "elsewhere", seq: 3), .init(epoch: epoch, seq: 26), .init(epoch: epoch, seq: -1),
            ] {
                let page = try #require(try await fixture.store.recover(.ada, from: position).firstPage)
                #expect(page.map(\.content.displayText) == (6...25).reversed().map { "\($0)" })
            }
        }
    }

    @Test func `a position further back than the log reaches starts anew, and the log is kept short`() async throws {
        let configure: StoreFixture.Configuration = { $0.changeLogLength = 8 }
        try await withStore(configure) { fixture in
            for number in 1...20 {
                try await fixture.say("\(number)", to: .ada)
                try await fixture.store.apply(.read(.upTo(.max)), for: .ada)
            }
            let newest = try await fixture.store.recover(.ada, from: position(fixture, 32)).changes
            #expect(newest?.map(\.stamp.seq) == Array(33...40))
            #expect(try await fixture.store.recover(.ada, from: position(fixture, 31)).firstPage?.count == 20)
            try await fixture.store.apply(.remove(.upTo(.max)), for: .ada)
            let cleared = try await fixture.store.recover(.ada, from: position(fixture, 33)).changes
            #expect(cleared?.map(\.stamp.seq) == Array(34...41))
        }
    }
}

extension InboxChange.Kind {
    /// One line for comparing.
    var summary: String {
        switch self {
        case .new(let notification): "new \(notification.id.sequence) rev \(notification.rev)"
        case .update(let notification): "update \(notification.id.sequence) rev \(notification.rev)"
        case .read(let selection): "read \(selection.summary)"
        case .seen(let seq): "seen \(seq)"
        case .removed(let selection): "removed \(selection.summary)"
        }
    }
}

extension InboxChange.Selection {
    fileprivate var summary: String {
        switch self {
        case .ids(let ids): "\(ids.map(\.sequence))"
        case .upTo(let seq): "≤\(seq)"
        }
    }
}
