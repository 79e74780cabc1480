import Inbox
import JSON
import Push
import Store
import Support
import Testing

/// The form in which a commit travels.
struct CommitBytesTests {
    @Test(arguments: 0..<100 as Range<UInt64>) func `all of a commit comes back equal`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let commit = Commit.any(using: &random)
        let read = try Commit(bytes: commit.bytes)
        #expect(read.parts == commit.parts)
        #expect(read.nextPushDue == commit.nextPushDue)
        #expect(read.bytes == commit.bytes)
    }

    @Test func `a content travels once, whoever has it`() throws {
        let body = [UInt8](repeating: 0x61, count: 1_000)
        let content = Content(type: "T", displayText: "t", body: body, batch: nil, push: nil)
        var commit = Commit()
        for sequence in 1...50 as ClosedRange<Int64> {
            let notification = Notification(
                id: NotificationID(inbox: 1, sequence: sequence), content: content, createdAt: .at(0), rev: 1,
                seq: sequence, isRead: false, isSeen: false)
            let stamp = ChangeStamp(seq: sequence, unread: sequence, unseen: sequence, delta: 1)
            commit.inboxes.append(.init(user: .ada, change: InboxChange(stamp: stamp, kind: .new(notification))))
        }
        #expect(commit.bytes.count < 1_000 + 50 * 32)
        let contents = try Commit(bytes: commit.bytes).inboxes.compactMap(\.change.content)
        #expect(contents.count == 50)
        #expect(Set(contents.map(ObjectIdentifier.init)).count == 1)
    }

    @Test func `a commit without revocations has the form that nodes of earlier versions read`() {
        var commit = Commit()
        commit.erased = [.ada]
        #expect(commit.bytes.first == 2)
        commit.revoked = [.init(user: .ada, issuedBefore: .at(7))]
        #expect(commit.bytes.first == 3)
    }

    @Test(arguments: 0..<5 as Range<UInt64>) func `bytes that are cut off or damaged are refused`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let bytes = Commit.any(using: &random).bytes
        for count in bytes.indices {
            #expect(throws: DamagedCommit.self) { try Commit(bytes: Array(bytes[..<count])) }
            var damaged = bytes
            damaged[count] ^= UInt8.random(in: 1...255, using: &random)
            #expect(throws: DamagedCommit.self) { try Commit(bytes: damaged) }
        }
        #expect(throws: DamagedCommit.self) { try Commit(bytes: bytes + [0]) }
    }
}

extension InboxChange {
    fileprivate var content: Content? {
        switch kind {
        case .new(let notification), .update(let notification): notification.content
        case .read, .seen, .removed: nil
        }
    }
}

extension Commit {
    /// All that it says, but for what is due when.
    fileprivate var parts: [String] {
        let contents = inboxes.compactMap(\.change.content).map { content in
            [
                content.type, content.displayText, "\(content.body)", String(reflecting: content.batch),
                String(reflecting: content.push), String(reflecting: content.group),
                String(reflecting: content.groupText),
            ]
        }
        return ["\(erased)", "\(revoked)", "\(inboxes)", "\(feeds)", "\(departures)", "\(settings)"] + contents.joined()
    }

    fileprivate static func any(using random: inout SeededRandom) -> Commit {
        var commit = Commit()
        let contents = few(using: &random) { content(using: &$0) } + [content(using: &random)]
        commit.erased = few(using: &random) { user(using: &$0) }
        commit.revoked = few(using: &random) { .init(user: user(using: &$0), issuedBefore: time(using: &$0)) }
        commit.inboxes = few(using: &random) { random in
            .init(
                user: user(using: &random), change: change(contents, using: &random),
                mayBePushed: .random(using: &random))
        }
        commit.feeds = few(using: &random) { random in
            .init(
                item: item(using: &random),
                position: FeedPosition(epoch: text(using: &random), offset: number(using: &random)),
                isOfEvent: .random(using: &random))
        }
        commit.departures = few(using: &random) { .init(user: user(using: &$0), topic: text(using: &$0)) }
        commit.settings = few(using: &random) { .init(user: user(using: &$0), json: Array(text(using: &$0).utf8)) }
        for provider in ProviderList.standard where Bool.random(using: &random) {
            commit.nextPushDue[provider] = time(using: &random)
        }
        return commit
    }

    private static func change(_ contents: [Content], using random: inout SeededRandom) -> InboxChange {
        let stamp = ChangeStamp(
            seq: number(using: &random), unread: number(using: &random), unseen: number(using: &random),
            delta: number(using: &random))
        let ids = few(using: &random) { NotificationID(inbox: number(using: &$0), sequence: number(using: &$0)) }
        let upTo = number(using: &random)
        let notification = Notification(
            id: NotificationID(inbox: number(using: &random), sequence: number(using: &random)),
            content: contents[random.next(below: contents.count)], createdAt: time(using: &random),
            rev: number(using: &random), seq: number(using: &random), isRead: .random(using: &random),
            isSeen: .random(using: &random), place: number(using: &random))
        let kinds: [InboxChange.Kind] = [
            .new(notification), .update(notification), .read(.ids(ids)), .read(.upTo(upTo)), .seen(upTo: upTo),
            .removed(.ids(ids)), .removed(.upTo(upTo)),
        ]
        return InboxChange(stamp: stamp, kind: kinds[random.next(below: kinds.count)])
    }

    private static func content(using random: inout SeededRandom) -> Content {
        let batch = Batch(
            tallies: few(using: &random) {
                Batch.Tally(
                    kind: text(using: &$0), count: number(using: &$0) & 0xFFFF, first: day(using: &$0),
                    place: number(using: &$0))
            },
            samples: few(using: &random) { .string(text(using: &$0)) }, earliest: day(using: &random),
            latest: day(using: &random))
        let counted = CountedText(pieces: [text(using: &random), text(using: &random)])
        let push = PushContent(
            title: text(using: &random), body: text(using: &random), group: maybe(using: &random), urgency: .normal,
            data: ["n": .int(number(using: &random))], groupText: counted)
        return Content(
            type: text(using: &random), displayText: text(using: &random), body: Array(text(using: &random).utf8),
            batch: Bool.random(using: &random) ? batch : nil, push: Bool.random(using: &random) ? push : nil,
            group: maybe(using: &random), groupText: Bool.random(using: &random) ? counted : nil)
    }

    private static func item(using random: inout SeededRandom) -> FeedItem {
        let json = Array((text(using: &random) + "2026-11-26T12:00:00.000Z").utf8)
        var item = FeedItem(
            feed: text(using: &random), json: json, publishedAt: time(using: &random), id: maybe(using: &random),
            author: maybe(using: &random), tags: few(using: &random) { text(using: &$0) },
            stampPlace: Bool.random(using: &random) ? random.next(below: json.count - Timestamp.iso8601Bytes + 1) : nil)
        let target = number(using: &random)
        item.change = [nil, .replaces(target), .removes(target)][random.next(below: 3)]
        return item
    }

    private static func few<Part>(
        using random: inout SeededRandom, _ part: (inout SeededRandom) -> Part
    ) -> [Part] {
        (0..<random.next(below: 4)).map { _ in part(&random) }
    }

    private static func number(using random: inout SeededRandom) -> Int64 {
        Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random)
    }

    private static func time(using random: inout SeededRandom) -> Timestamp {
        Timestamp(milliseconds: number(using: &random))
    }

    /// A time that a batch may have.
    private static func day(using random: inout SeededRandom) -> Timestamp {
        Timestamp(milliseconds: number(using: &random) >> 11)
    }

    private static func user(using random: inout SeededRandom) -> UserID { .user("\(random.next())") }

    private static func maybe(using random: inout SeededRandom) -> String? {
        Bool.random(using: &random) ? nil : text(using: &random)
    }

    private static func text(using random: inout SeededRandom) -> String {
        let alphabet = Array("ab \"\\é日👩‍👩‍👧{}[],:")
        return String((0..<random.next(below: 12)).map { _ in alphabet[random.next(below: alphabet.count)] })
    }
}
