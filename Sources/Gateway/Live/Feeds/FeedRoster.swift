import Inbox
import Store
import Transport
import WireProtocol

/// One shard's subscribers of one feed, and the items of this turn that they were not told yet.
final class FeedRoster {
    /// How many bytes one message joins at most: it is copied, and a reader's rest of it is kept as a whole.
    private static let maximumBurstBytes = 64 << 10

    private struct Item {
        let offset: Int64
        let tags: [String]
        let message: OutgoingMessage
    }

    /// The feed's key.
    let feed: String
    /// As the feed's rule said when its first subscriber came.
    let keepsItems: Bool
    private let maximumQueuedBytes: Int
    private var members: [FeedMembership] = []
    /// The members' sockets, in the same order.
    private var group = WebSocketGroup()
    /// The offset of the newest item that was delivered here.
    private var offset: Int64 = 0
    private var waiting: [Item] = []
    /// How many bytes the waiting items take for each member.
    private(set) var waitingBytes = 0
    private var pace = FeedPace()

    /// - Parameter maximumQueuedBytes: with so many waiting bytes, a reader has enough.
    init(feed: String, keepsItems: Bool = true, maximumQueuedBytes: Int) {
        self.feed = feed
        self.keepsItems = keepsItems
        self.maximumQueuedBytes = maximumQueuedBytes
    }

    /// The feed's name, for its subscribers.
    var name: String { AppName.name(ofKey: feed) }
    var isEmpty: Bool { members.isEmpty }
    /// The members' sessions.
    var sessions: [LiveSession] { members.compactMap { $0.webSocket.handler as? LiveSession } }
    /// Whether ``deliver(_:_:)`` has items to send.
    var hasNews: Bool { !waiting.isEmpty }

    /// Whether the waiting items should wait for more, which then cost hardly anything: for as long as telling all
    /// members takes, and while they fit into one message.
    ///
    /// - Parameter publications: tells which items are about to come to a feed that keeps its items.
    func waitsForMore(_ publications: FeedPublications, at now: ContinuousClock.Instant) -> Bool {
        guard waitingBytes < Self.maximumBurstBytes, pace.mayWait(at: now, memberCount: members.count) else {
            return false
        }
        return keepsItems ? publications.arePending(of: feed) : pace.expectsMore(at: now)
    }

    // MARK: Members

    func add(_ member: FeedMembership, _ on: borrowing OnShard) {
        member.index = members.count
        members.append(member)
        group.append(member.webSocket, on)
        note(member)
    }

    /// Moves the last member to the index of the leaving one: ten thousand that leave must not cost their square.
    func remove(_ member: FeedMembership) {
        guard let index = member.index else { return }
        member.index = nil
        let last = members.removeLast()
        group.remove(at: index)
        guard last !== member else { return }
        members[index] = last
        last.index = index
    }

    /// Notes that a member's subscription has changed, and with it whether the member is in step.
    func note(_ member: FeedMembership) {
        if let index = member.index { group.setInStep(index, member.isInStep(after: offset)) }
    }

    // MARK: Items

    /// Keeps an item until ``deliver(_:_:)``.
    func append(_ item: FeedItem, at offset: Int64, _ now: ContinuousClock.Instant) {
        pace.came(at: now)
        let message = OutgoingMessage(
            text: LiveFrames.item(item.json, of: name, offset: offset, item.change, id: item.id))
        waitingBytes += message.byteCount
        waiting.append(Item(offset: offset, tags: item.tags, message: message))
    }

    /// Sends the waiting items to the members, joined where possible: one system call a member, however many items a
    /// turn brings.
    ///
    /// - Parameter settings: how messages are compressed for members that agreed on it.
    /// - Returns: how many frames were sent.
    func deliver(_ settings: DeflateSettings?, _ on: borrowing OnShard) -> Int {
        let items = waiting
        (waiting, waitingBytes) = ([], 0)
        var sent = 0
        var rest = items[...]
        while let first = rest.first {
            var bytes = first.message.byteCount
            let next = rest.dropFirst().firstIndex { item in
                bytes += item.message.byteCount
                return bytes > Self.maximumBurstBytes
            }
            sent += deliver(rest[..<(next ?? rest.endIndex)], settings, on)
            rest = rest[(next ?? rest.endIndex)...]
            // Otherwise a slow reader would not show before all items were queued for it.
            if !rest.isEmpty { on.shard.flush(on) }
        }
        pace.told(until: !keepsItems && members.count >= FeedPace.manyMembers ? .now : nil)
        return sent
    }

    private func deliver(_ items: ArraySlice<Item>, _ settings: DeflateSettings?, _ on: borrowing OnShard) -> Int {
        guard let first = items.first, let last = items.last else { return 0 }
        let message = items.count == 1 ? first.message : OutgoingMessage(joining: items.map(\.message))
        let others = group.send(message, settings, on)
        var sent = (members.count - others.count) * items.count
        offset = last.offset
        for index in others {
            let member = members[index]
            if group.isInStep(index), member.webSocket.refusedBytes == 0 {
                member.webSocket.send(message, on)
                sent += items.count
            } else {
                for item in items where member.wants(item.tags) {
                    let isSent = member.deliver(
                        item.offset, item.message, maximumQueuedBytes: maximumQueuedBytes, on)
                    if isSent { sent += 1 }
                }
            }
        }
        return sent
    }
}
