import Inbox
import JSON
import Push

@testable import Store

/// A commit that the bytes of an input make up: few people and feeds, so that parts of it are about the same ones.
struct CommitChoices {
    private static let names = [
        "ada", "bob", "user-7", "\u{1F}golf\u{1F}ada", "åsa", "a b", "older\nname", "older\r", "\u{301}marked",
        String(repeating: "n", count: 200),
    ]
    private var choices: Choices

    init(_ bytes: [UInt8]) { choices = Choices(bytes) }

    mutating func commit() -> Commit {
        var commit = Commit()
        let contents = (0...choices.number(below: 3)).map { _ in content() }
        for _ in 0..<choices.number(below: 24) {
            let user = user()
            commit.inboxes.append(
                Commit.InboxDelivery(user: user, change: change(contents), mayBePushed: choices.isOne(in: 2)))
        }
        for _ in 0..<choices.number(below: 6) { commit.feeds.append(feedDelivery()) }
        if choices.isOne(in: 4) { commit.erased.append(user()) }
        if choices.isOne(in: 4) {
            commit.revoked.append(Revocation(user: user(), issuedBefore: Timestamp(milliseconds: number())))
        }
        if choices.isOne(in: 4) { commit.departures.append(Commit.Departure(user: user(), topic: "room:7")) }
        if choices.isOne(in: 4) {
            commit.settings.append(Commit.SettingsDelivery(user: user(), json: Array("{}".utf8)))
        }
        if choices.isOne(in: 4) { commit.passing.append(feedDelivery().item) }
        if choices.isOne(in: 2) {
            commit.nextPushDue[choices.pick(Array(ProviderList.standard))] = Timestamp(milliseconds: number())
        }
        return commit
    }

    private mutating func user() -> UserID {
        UserID(key: choices.text(Self.names)) ?? UserID(key: "ada")!
    }

    private mutating func number() -> Int64 {
        choices.pick([0, 1, 2, 7, 60, 1_764_000_000_000, -1, .max, .min, 253_402_300_800_000])
    }

    private mutating func content() -> Content {
        let texts = ["", "a text", String(repeating: "long ", count: 250), "\u{202E}"]
        let batch = choices.isOne(in: 3) ? batch() : nil
        let push =
            choices.isOne(in: 3)
            ? PushContent(
                title: choices.text(texts), body: choices.text(texts), group: nil, urgency: .normal, data: [:])
            : nil
        return Content(
            type: choices.text(["SAID", "RANG"]), displayText: choices.text(texts), body: body(), batch: batch,
            push: push, group: choices.isOne(in: 2) ? choices.text(["room:7", ""]) : nil)
    }

    private mutating func body() -> [UInt8] {
        let many = JSONValue.array(Array(repeating: .string("thumbnail"), count: choices.pick([0, 3, 600, 1_200])))
        return Array("\"deepLink\":null,\"thumbnails\":".utf8) + many.encoded
    }

    private mutating func batch() -> Batch {
        let tallies = (0...choices.number(below: 3)).map { _ in
            Batch.Tally(kind: choices.text(["photo", "video"]), count: Int64(1 + choices.number(below: 9)))
        }
        return Batch(
            tallies: tallies, samples: [], earliest: Timestamp(milliseconds: 0), latest: Timestamp(milliseconds: 1))
    }

    private mutating func change(_ contents: [Content]) -> InboxChange {
        let stamp = ChangeStamp(seq: number(), unread: number(), unseen: number(), delta: number())
        let notification = Notification(
            id: id(), content: choices.pick(contents), createdAt: Timestamp(milliseconds: number()), rev: number(),
            seq: number(), isRead: choices.isOne(in: 2), isSeen: choices.isOne(in: 2), place: number())
        switch choices.number(below: 5) {
        case 0: return InboxChange(stamp: stamp, kind: .new(notification))
        case 1: return InboxChange(stamp: stamp, kind: .update(notification))
        case 2: return InboxChange(stamp: stamp, kind: .read(selection()))
        case 3: return InboxChange(stamp: stamp, kind: .seen(upTo: number()))
        default: return InboxChange(stamp: stamp, kind: .removed(selection()))
        }
    }

    private mutating func id() -> NotificationID { NotificationID(inbox: number(), sequence: number()) }

    private mutating func selection() -> InboxChange.Selection {
        if choices.isOne(in: 2) { return .upTo(number()) }
        let ids = (0..<choices.pick([0, 1, 2, 900])).map { NotificationID(inbox: 7, sequence: Int64($0)) }
        return .ids([id()] + ids)
    }

    private mutating func feedDelivery() -> Commit.FeedDelivery {
        let json = Array("{\"at\":\"2025-07-04T15:02:44.161Z\",\"text\":\"".utf8)
        let end = [UInt8](repeating: UInt8(ascii: "t"), count: choices.pick([0, 40, 5_000, 9_000])) + Array("\"}".utf8)
        var item = FeedItem(
            feed: choices.text(["posts", "query:42", "\u{1F}golf\u{1F}posts"]), json: json + end,
            publishedAt: Timestamp(milliseconds: number()), id: choices.isOne(in: 2) ? choices.text(["1"]) : nil,
            author: choices.isOne(in: 2) ? choices.text(Self.names) : nil, tags: choices.isOne(in: 2) ? ["t", ""] : [],
            stampPlace: choices.isOne(in: 2) ? 7 : nil)
        if choices.isOne(in: 3) { item.change = choices.isOne(in: 2) ? .removes(number()) : .replaces(number()) }
        return Commit.FeedDelivery(
            item: item, position: FeedPosition(epoch: choices.text(["epoch", ""]), offset: number()),
            isOfEvent: choices.isOne(in: 2))
    }
}
