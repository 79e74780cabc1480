import Inbox
import Support
import Testing

@testable import SQLiteStore
@testable import Store

/// The memory of inboxes tells the same as the store, or nothing.
struct InboxMemoryTests {
    /// Asks as the store does; a value of its own, since what is expected must not change what it is expected of.
    private static func recovery(_ memory: InboxMemory, from position: InboxPosition?) -> Recovery? {
        var memory = memory
        return memory.missed(by: .ada, since: position)?.recovery
    }

    private static func remembered(_ memory: InboxMemory) -> InboxState? {
        var memory = memory
        return memory.state(of: .ada)
    }

    // MARK: Reads that race with commits

    @Test func `a read is remembered`() {
        var memory = Self.memory()
        memory.beginRead(of: .ada)
        memory.endRead(of: .ada, state: Self.state(seq: 4))
        #expect(Self.remembered(memory) == Self.state(seq: 4))
    }

    @Test func `a read that a commit has overtaken is not remembered`() {
        var memory = Self.memory()
        memory.beginRead(of: .ada)
        memory.apply(Self.seen(seq: 5, by: .ada))
        memory.endRead(of: .ada, state: Self.state(seq: 4))
        #expect(Self.remembered(memory) == nil)
    }

    @Test func `a read that began after a commit is remembered, unless an older one is still under way`() {
        var memory = Self.memory()
        memory.beginRead(of: .ada)
        memory.apply(Self.seen(seq: 5, by: .ada))
        memory.beginRead(of: .ada)
        memory.endRead(of: .ada, state: Self.state(seq: 4))
        memory.endRead(of: .ada, state: Self.state(seq: 5))
        #expect(Self.remembered(memory) == nil)
        memory.beginRead(of: .ada)
        memory.endRead(of: .ada, state: Self.state(seq: 5))
        #expect(Self.remembered(memory) == Self.state(seq: 5))
    }

    @Test func `a read that found nothing ends like any other`() {
        var memory = Self.memory()
        memory.beginRead(of: .ada)
        memory.endRead(of: .ada, state: nil)
        memory.apply(Self.seen(seq: 5, by: .ada))
        memory.beginRead(of: .ada)
        memory.endRead(of: .ada, state: Self.state(seq: 5))
        #expect(Self.remembered(memory) == Self.state(seq: 5))
    }

    /// An inbox with four billion changes, more than any real one has. The memory of an inbox has 32 bits for each
    /// number.
    @Test func `an inbox whose numbers are too large is not remembered`() {
        #expect(Self.remembered(Self.remembering(.ada, Self.state(seq: 1 << 32))) == nil)
        var memory = Self.remembering(.ada, Self.state(seq: 1 << 32 - 1))
        #expect(Self.remembered(memory) == Self.state(seq: 1 << 32 - 1))
        memory.apply(Self.seen(seq: 1 << 32, by: .ada))
        #expect(Self.remembered(memory) == nil)
    }

    @Test func `the memory of an inbox takes at most 40 bytes`() {
        #expect(MemoryLayout<RememberedState>.size <= 40)
    }

    @Test func `an erased inbox is forgotten, and so is the result of a read that began before`() {
        var memory = Self.remembering(.ada, Self.state(seq: 4))
        memory.beginRead(of: .ada)
        var commit = Commit()
        commit.erased = [.ada]
        memory.apply(commit)
        #expect(Self.remembered(memory) == nil)
        memory.endRead(of: .ada, state: Self.state(seq: 4))
        #expect(Self.remembered(memory) == nil)
    }

    @Test func `an answer from memory does not take back the newer result of a read`() {
        var memory = Self.remembering(.ada, Self.state(seq: 4))
        memory.beginRead(of: .ada)
        // The commit is on the disk, and has not come here yet.
        memory.endRead(of: .ada, state: Self.state(seq: 5))
        #expect(Self.remembered(memory) == nil)
        memory.apply(Self.seen(seq: 5, by: .ada))
        #expect(Self.remembered(memory) == nil)
    }

    // MARK: Commits

    @Test func `a commit moves what is remembered, and is part of what a client has missed`() throws {
        var memory = Self.remembering(.ada, Self.state(seq: 4))
        memory.apply(Self.seen(seq: 5, by: .ada))
        memory.apply(Self.seen(seq: 6, by: .ada))
        #expect(Self.remembered(memory)?.seq == 6)
        let recovery = try #require(Self.recovery(memory, from: InboxPosition(epoch: "e", seq: 4)))
        #expect(recovery.changes?.map(\.stamp.seq) == [5, 6])
    }

    @Test func `a client that is ahead, of another epoch, or further behind than what is remembered needs the store`() {
        var memory = Self.remembering(.ada, Self.state(seq: 4))
        memory.apply(Self.seen(seq: 5, by: .ada))
        for position in [
            InboxPosition(epoch: "e", seq: 6), InboxPosition(epoch: "f", seq: 5), InboxPosition(epoch: "e", seq: 3),
            InboxPosition(epoch: "e", seq: -1), InboxPosition(epoch: "e", seq: .min),
        ] {
            #expect(Self.recovery(memory, from: position) == nil, "\(position)")
        }
        #expect(Self.recovery(memory, from: InboxPosition(epoch: "e", seq: 5))?.changes?.isEmpty == true)
        #expect(Self.recovery(memory, from: nil)?.state.seq == 5)
    }

    @Test func `a change that does not follow on what is remembered has it forgotten`() {
        var memory = Self.remembering(.ada, Self.state(seq: 4))
        memory.apply(Self.seen(seq: 6, by: .ada))
        #expect(Self.remembered(memory) == nil)
    }

    @Test func `changes beyond the limit of bytes are forgotten, whoever's came later; the positions are not`() {
        var memory = Self.remembering(.ada, Self.state(seq: 0), changeBytes: 4_096)
        memory.apply(Self.seen(seq: 1, by: .ada))
        let position = InboxPosition(epoch: "e", seq: 0)
        #expect(Self.recovery(memory, from: position)?.changes?.count == 1)
        memory.beginRead(of: .bob)
        memory.endRead(of: .bob, state: Self.state(seq: 0))
        for seq in 1...1_000 { memory.apply(Self.seen(seq: Int64(seq), by: .bob)) }
        #expect(Self.remembered(memory)?.seq == 1)
        #expect(Self.recovery(memory, from: position) == nil)
    }

    @Test func `a client that missed very much needs the store`() {
        var memory = Self.remembering(.ada, Self.state(seq: 0))
        for seq in 1...100 { memory.apply(Self.seen(seq: Int64(seq), by: .ada)) }
        #expect(Self.recovery(memory, from: InboxPosition(epoch: "e", seq: 36))?.changes?.count == 64)
        #expect(Self.recovery(memory, from: InboxPosition(epoch: "e", seq: 35)) == nil)
    }

    // MARK: Against the store

    @Test(arguments: Seeds.some(3, of: 10))
    func `the memory of an inbox tells the same as the store`(_ seed: UInt64) async throws {
        let configure: StoreFixture.Configuration = { options in
            // Small enough that inboxes and changes are forgotten all the time, with some seeds.
            (options.rememberedInboxes, options.rememberedChangeBytes) =
                seed.isMultiple(of: 2) ? (4, 4_000) : (100, 1 << 20)
        }
        try await withStore(configure) { fixture in
            var random = SeededRandom(seed: seed)
            var answers = 0
            for step in 0..<150 {
                try await Self.change(step, &random, fixture)
                for user in Self.users where try await Self.agrees(on: user, &random, fixture) { answers += 1 }
            }
            // Else nothing was tested.
            #expect(answers > 40)
        }
    }

    private static let users: [UserID] = [.ada, .bob, .cleo]

    private static func change(
        _ step: Int, _ random: inout SeededRandom, _ fixture: StoreFixture
    ) async throws {
        let user = users[Int.random(in: 0..<users.count, using: &random)]
        let page = try await fixture.store.page(limit: 100, of: user)
        let some = page.notifications.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }.map(\.id)
        let seq = max(0, page.state.seq - Int64.random(in: 0...8, using: &random))
        let now = Timestamp.at(Int64(step))
        switch Int.random(in: 0..<16, using: &random) {
        case 0..<5: try await fixture.say("step \(step)", to: user, at: now)
        case 5..<9: try await fixture.add(2, to: .ada, .bob, .cleo, at: now)
        case 9: _ = try await fixture.store.apply(.read(.ids(some)), for: user)
        case 10: _ = try await fixture.store.apply(.read(.upTo(seq)), for: user)
        case 11: _ = try await fixture.store.apply(.seen(upTo: seq), for: user)
        case 12, 13: _ = try await fixture.store.apply(.remove(.ids(Array(some.prefix(2)))), for: user)
        case 14: _ = try await fixture.store.apply(.remove(.upTo(seq - 20)), for: user)
        default:
            guard Int.random(in: 0..<4, using: &random) == 0 else { return }
            _ = try await fixture.store.erase(user)
        }
    }

    /// Compares at random positions; false where nothing was remembered.
    private static func agrees(
        on user: UserID, _ random: inout SeededRandom, _ fixture: StoreFixture
    ) async throws -> Bool {
        let remembered = fixture.store.rememberedState(of: user)
        guard let remembered else {
            _ = try await fixture.store.state(of: user)
            return false
        }
        let position = InboxPosition(
            epoch: remembered.epoch, seq: max(0, remembered.seq - Int64.random(in: 0...30, using: &random)))
        let quick = fixture.store.rememberedRecovery(of: user, from: position)
        #expect(try await fixture.store.state(of: user) == remembered)
        guard let quick else { return false }
        let whole = try await fixture.store.recover(user, from: position)
        #expect(quick.state == whole.state)
        #expect(quick.described == whole.described, "from \(position.seq)")
        return position.seq < remembered.seq
    }

    // MARK: Values

    private static func memory() -> InboxMemory { InboxMemory(inboxes: 100, changeBytes: 1 << 20) }

    private static func remembering(_ user: UserID, _ state: InboxState, changeBytes: Int = 1 << 20) -> InboxMemory {
        var memory = InboxMemory(inboxes: 100, changeBytes: changeBytes)
        memory.beginRead(of: user)
        memory.endRead(of: user, state: state)
        return memory
    }

    private static func state(seq: Int64) -> InboxState { InboxState(epoch: "e", seq: seq) }

    private static func seen(seq: Int64, by user: UserID) -> Commit {
        var commit = Commit()
        let stamp = ChangeStamp(seq: seq, unread: 0, unseen: 0, delta: 0)
        commit.inboxes = [.init(user: user, change: InboxChange(stamp: stamp, kind: .seen(upTo: seq - 1)))]
        return commit
    }
}
