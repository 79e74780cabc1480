import Inbox
import Store
import Synchronization

/// Feeds that keep no items, for data that is useless a moment later: who is typing, where a cursor is. Their items go
/// from the publisher to the subscribers, past the store.
///
/// They share one sequence of offsets and one epoch, which ends with the process: anybody may name a feed, so none is
/// remembered by itself. From any thread.
final class LiveOnlyFeeds: Sendable {
    /// An item's memory until it is told, beside its body.
    static let bytesPerItem = 512

    private let epoch = RandomName.epoch()
    private let offset = Mutex<Int64>(0)

    /// Sends the items to the subscribers.
    ///
    /// - Parameters:
    ///   - now: the publishing time; nil for items that have theirs.
    ///   - share: of the publish, which counts until every shard has handled it. Faster publishing is refused.
    /// - Returns: each item's position, in order.
    func publish(
        _ items: [FeedItem], at now: Timestamp?, through hub: LiveHub, _ share: PublishLoad.Share?
    ) -> [FeedReceipt] {
        var commit = Commit()
        // Told under the lock: otherwise two publishes to one feed might reach a shard in different orders.
        return offset.withLock { offset in
            let receipts = items.map { item in
                var item = item
                if let now { item.stamp(now) }
                offset += 1
                let position = FeedPosition(epoch: epoch, offset: offset)
                commit.feeds.append(.init(item: item, position: position))
                return FeedReceipt(position: position, publishedAt: item.publishedAt, isNew: true)
            }
            hub.tell(commit, holding: share)
            return receipts
        }
    }

    /// Sends items of another node to the subscribers here, under offsets of this node.
    func tell(_ items: [FeedItem], through hub: LiveHub) {
        // Their publisher's share is at the node that took them in.
        _ = publish(items, at: nil, through: hub, nil)
    }

    /// Whether this is a position in one of these feeds.
    func hold(_ position: FeedPosition) -> Bool { position.epoch == epoch }

    /// The page of such a feed: no items, and a given place is always unknown.
    func page(for query: FeedQuery) -> FeedPage {
        let head = FeedPosition(epoch: epoch, offset: offset.withLock { $0 })
        let namesPlace =
            switch query.start {
            case .after, .newestAfter, .afterTime: true
            case .head, .newest, .before: false
            }
        return FeedPage(items: [], head: head, end: head.offset, hasOlder: false, isRecovered: !namesPlace)
    }
}
