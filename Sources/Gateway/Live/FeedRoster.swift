import Inbox
import Storage
import Transport
import WireProtocol

/// One shard's subscribers of one feed, and the items of this turn that they have not been told yet.
final class FeedRoster {
    /// So many bytes at most are joined to one message: it is copied, and what a reader has left of it is kept as a
    /// whole.
    private static let maximumBurstBytes = 64 << 10

    private struct Item {
        let offset: Int64
        let tags: [String]
        let message: OutgoingMessage
    }

    let feed: String
    /// As the feed's rule said when the first one subscribed.
    let keepsItems: Bool
    private let maximumQueuedBytes: Int
    private var members: [FeedMembership] = []
    /// The members' sockets, in the same order.
    private var group = WebSocketGroup()
    /// The newest item that was delivered here.
    private var offset: Int64 = 0
    private var waiting: [Item] = []
    /// How much they are for each member.
    private(set) var waitingBytes = 0
    private var pace = FeedPace()

    /// - Parameter maximumQueuedBytes: from how many waiting bytes on a reader has enough.
    init(feed: String, keepsItems: Bool = true, maximumQueuedBytes: Int) {
        self.feed = feed
        self.keepsItems = keepsItems
        self.maximumQueuedBytes = maximumQueuedBytes
    }

    var isEmpty: Bool { members.isEmpty }
    /// Whose members are.
    var sessions: [LiveSession] { members.compactMap { $0.webSocket.handler as? LiveSession } }
    /// Whether ``deliver(_:_:)`` has something to do.
    var hasNews: Bool { !waiting.isEmpty }

    /// Whether what waits should wait for more, which then costs hardly anything: for as long as telling all members
    /// takes, and as what waits fits into one message.
    ///
    /// - Parameter publications: tell what is about to come to a feed that keeps its items.
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

    /// Puts the last member in the place of the one that leaves: ten thousand leaving must not cost their square.
    func remove(_ member: FeedMembership) {
        guard let index = member.index else { return }
        member.index = nil
        let last = members.removeLast()
        group.remove(at: index)
        guard last !== member else { return }
        members[index] = last
        last.index = index
    }

    /// A member's subscription has changed, and with it whether it is in step with the others.
    func note(_ member: FeedMembership) {
        if let index = member.index { group.setInStep(index, member.isInStep(after: offset)) }
    }

    // MARK: Items

    /// Keeps an item until ``deliver(_:_:)``.
    func append(_ item: FeedItem, at offset: Int64, _ now: ContinuousClock.Instant) {
        pace.came(at: now)
        let message = OutgoingMessage(
            text: LiveFrames.item(item.json, of: feed, offset: offset, item.change, id: item.id))
        waitingBytes += message.byteCount
        waiting.append(Item(offset: offset, tags: item.tags, message: message))
    }

    /// Tells the members what waits, all of it at once where they take it: one system call a member, however many items
    /// a turn brings.
    ///
    /// - Parameter settings: how messages are compressed for those who agreed on it.
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
            // Else nobody would know who does not take the first part, and everything would wait for them.
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
