import Inbox
import Support
import Testing

@testable import SQLiteStore
@testable import Store

/// Changes as bytes, and back.
struct RecentChangesTests {
    // MARK: What is told

    /// Readers who are told the changes after a client's position do not know the earlier ones.
    @Test(arguments: 1...8)
    func `changes of inboxes are told as if each had changed those before it at once`(
        _ seed: UInt64
    ) throws {
        // With some seeds all is there, with others hardly what happened last.
        let (isLarge, limit) = seed.isMultiple(of: 2) ? (true, 1 << 20) : (false, 24_000)
        var random = SeededRandom(seed: seed)
        var memory = InboxMemory(inboxes: 100, changeBytes: limit)
        var inboxes = [UserID.ada, .bob, .cleo].enumerated().map { RandomInbox($1, number: Int64($0 + 1)) }
        var kept = [KeptChanges](repeating: KeptChanges(), count: inboxes.count)
        for inbox in inboxes {
            memory.beginRead(of: inbox.user)
            memory.endRead(of: inbox.user, state: inbox.state)
        }
        var answers = 0
        for step in 0..<120 {
            var commit = Commit()
            for (place, change) in Self.changes(step, of: &inboxes, &random) {
                kept[place].append(change)
                commit.inboxes.append(.init(user: inboxes[place].user, change: change))
            }
            memory.apply(commit)
            for (place, inbox) in inboxes.enumerated() {
                for _ in 0..<2 {
                    let back = Int64.random(in: 0...min(inbox.state.seq, 70), using: &random)
                    let position = InboxPosition(epoch: inbox.state.epoch, seq: inbox.state.seq - back)
                    let missed = memory.missed(by: inbox.user, since: position)
                    if isLarge { #expect((missed != nil) == (back <= 64)) }
                    guard let missed else { continue }
                    #expect(missed.state == inbox.state)
                    #expect(
                        missed.recovery.described == kept[place].changes(after: position.seq).map(\.described),
                        "\(inbox.user) from \(position.seq)")
                    answers += back > 0 ? 1 : 0
                }
            }
        }
        // Else nothing was tested.
        #expect(answers > 100)
    }

    /// Something for everybody, or of one person; with their places.
    private static func changes(
        _ step: Int, of inboxes: inout [RandomInbox], _ random: inout SeededRandom
    ) -> [(place: Int, change: InboxChange)] {
        var changes: [(Int, InboxChange)] = []
        for part in 0...random.next(below: 3) {
            let content = content("step \(step).\(part)", bodyBytes: 1 + random.next(below: 400))
            if random.next(below: 3) == 0 {
                for place in inboxes.indices {
                    changes.append((place, inboxes[place].add(content, at: .at(Int64(step)))))
                }
            } else {
                let place = random.next(below: inboxes.count)
                if let change = inboxes[place].change(content, &random) { changes.append((place, change)) }
            }
        }
        return changes
    }

    // MARK: Bytes

    /// Writing more than there is room for would end the process.
    @Test func `every kind of change comes back as it was, with the largest numbers, too`() throws {
        for number in [0, 1, 127, 128, Int64.max, Int64.min, -1] {
            for (index, change) in Self.changes(of: number).enumerated() {
                var changes = RecentChanges(maximumBytes: 1 << 20)
                var contents = WrittenContents()
                let place = changes.append(change, after: .none, sharing: &contents)
                let back = changes.changes(after: 6, upTo: 7, newest: place)
                #expect(back?.map(\.described) == [change.described], "\(index) of \(number)")
            }
        }
    }

    @Test func `a content takes no more bytes than it says`() {
        let content = Self.content(String(repeating: "ü", count: 300), bodyBytes: 20_000)
        let bytes = [UInt8](capacity: 100_000) { $0.append(content) }
        #expect(bytes.count <= content.maximumBytes)
    }

    /// Such bytes are never written, but bytes from elsewhere must not end the process.
    @Test func `bytes that are no change are none`() {
        var random = SeededRandom(seed: 3)
        for change in Self.changes(of: 300) {
            let whole = [UInt8](capacity: 1_000) { $0.append(change, previous: 10, content: 20) }
            for length in 0..<whole.count {
                var cut = whole[..<length]
                #expect(cut.takeChange { _ in Self.content("text") } == nil)
            }
            for _ in 0..<500 {
                var changed = whole[...]
                changed[random.next(below: changed.count)] = UInt8(truncatingIfNeeded: random.next())
                _ = changed.takeChange { _ in Self.content("text") }
                _ = changed.takeContent(maximumBodyBytes: 100)
            }
        }
    }

    // MARK: Limits

    @Test func `recipients of one event share its content, as long as that is there`() {
        var commit = Commit()
        let contents = [Self.content("one", bodyBytes: 3_000), Self.content("eins", bodyBytes: 3_000)]
        var inboxes = (1...1_000).map { RandomInbox(UserID("user \($0)")!, number: Int64($0)) }
        var memory = InboxMemory(inboxes: 10_000, changeBytes: 1 << 20)
        for place in inboxes.indices {
            memory.beginRead(of: inboxes[place].user)
            memory.endRead(of: inboxes[place].user, state: inboxes[place].state)
            let change = inboxes[place].add(contents[place % 2], at: .at(0))
            commit.inboxes.append(.init(user: inboxes[place].user, change: change))
        }
        // As much as three hundred such contents.
        memory.apply(commit)
        let remembered = inboxes.compactMap {
            memory.missed(by: $0.user, since: InboxPosition(epoch: $0.state.epoch, seq: 0))?.changes.first
        }
        #expect(remembered.map(\.described) == commit.inboxes.map(\.change.described))
    }

    @Test func `a change that is too large is not remembered, nor are earlier ones; later ones are`() throws {
        var inbox = RandomInbox(.ada, number: 1)
        var memory = InboxMemory(inboxes: 10, changeBytes: 80_000)
        memory.beginRead(of: .ada)
        memory.endRead(of: .ada, state: inbox.state)
        for bodyBytes in [10, 10_000, 10] {
            var commit = Commit()
            let content = Self.content("text", bodyBytes: bodyBytes)
            commit.inboxes = [.init(user: .ada, change: inbox.add(content, at: .at(0)))]
            memory.apply(commit)
        }
        let known = (Int64(0)...3).map {
            memory.missed(by: .ada, since: InboxPosition(epoch: inbox.state.epoch, seq: $0))?.changes.count
        }
        #expect(known == [nil, nil, 1, 0])
    }

    @Test func `a client that has missed large contents asks the store`() throws {
        var inbox = RandomInbox(.ada, number: 1)
        var memory = InboxMemory(inboxes: 10, changeBytes: 4 << 20)
        memory.beginRead(of: .ada)
        memory.endRead(of: .ada, state: inbox.state)
        let bodyBytes = RecentChanges.maximumBodyBytes / 4
        for number in 1...5 {
            var commit = Commit()
            let content = Self.content("\(number)", bodyBytes: bodyBytes)
            commit.inboxes = [.init(user: .ada, change: inbox.add(content, at: .at(0)))]
            memory.apply(commit)
        }
        let known = (Int64(0)...5).map {
            memory.missed(by: .ada, since: InboxPosition(epoch: inbox.state.epoch, seq: $0))?.changes.count
        }
        #expect(known == [nil, 4, 3, 2, 1, 0])
    }

    @Test func `a content that has given way within a commit is written once more, for all who come then`() throws {
        let content = Self.content("text", bodyBytes: 3_000)
        var changes = RecentChanges(maximumBytes: 80_000)
        var contents = WrittenContents()
        func append(_ content: Content, _ inbox: inout RandomInbox) -> ByteRing.Position {
            changes.append(inbox.add(content, at: .at(0)), after: .none, sharing: &contents)
        }
        var inbox = RandomInbox(.ada, number: 1)
        _ = append(content, &inbox)
        for number in 0..<40 { _ = append(Self.content("\(number)", bodyBytes: 3_000), &inbox) }
        let first = append(content, &inbox)
        let position = contents.position(of: content)
        #expect(position != .none)
        _ = append(content, &inbox)
        #expect(contents.position(of: content) == position)
        #expect(changes.changes(after: 41, upTo: 42, newest: first)?.count == 1)
    }

    @Test func `a list of ids takes no more room than it is said to`() {
        for number in [0, 63, 64, 8_191, 8_192, .max, .min, -1] as [Int64] {
            let ids = (0..<100).map { NotificationID(inbox: number, sequence: Int64($0) &- number) }
            let change = InboxChange(
                stamp: ChangeStamp(seq: 7, unread: 0, unseen: 0, delta: 0), kind: .removed(.ids(ids)))
            let bytes = [UInt8](capacity: 10_000) { $0.append(change, previous: 0, content: 0) }
            #expect(bytes.count <= InboxChange.maximumHeadBytes + NotificationID.maximumBytes(of: ids))
        }
    }

    // MARK: Values

    private static func content(_ text: String, bodyBytes: Int = 10) -> Content {
        Content(
            type: "A_TYPE_OF_SOME_LENGTH", displayText: text,
            body: Array(repeating: UInt8(ascii: "b"), count: bodyBytes),
            batch: nil, push: nil)
    }

    /// Of each kind, with `seq` 7.
    private static func changes(of number: Int64) -> [InboxChange] {
        let stamp = ChangeStamp(seq: 7, unread: number, unseen: number, delta: number)
        let ids = [1, number, 36].map { NotificationID(inbox: number, sequence: $0) }
        let notifications = [(false, false), (false, true), (true, true)].map { isRead, isSeen in
            Notification(
                id: NotificationID(inbox: number, sequence: number), content: content("text"),
                createdAt: Timestamp(milliseconds: number), rev: number, seq: number, isRead: isRead, isSeen: isSeen)
        }
        let kinds: [InboxChange.Kind] =
            notifications.flatMap { [.new($0), .update($0)] } + [
                .read(.ids(ids)), .read(.ids([])), .read(.upTo(number)), .seen(upTo: number), .removed(.ids(ids)),
                .removed(.upTo(number)),
            ]
        return kinds.map { InboxChange(stamp: stamp, kind: $0) }
    }
}
