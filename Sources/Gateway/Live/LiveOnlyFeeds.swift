import Inbox
import Storage
import Synchronization

/// Feeds that keep nothing, for what is of no use a moment later: who is typing, where a cursor is. Their items go from
/// the publisher to who is subscribed, and no store hears of them.
///
/// All of them share one sequence of offsets and one epoch, which ends with the process: of feeds that anybody may
/// name, nothing is remembered one by one. From any thread.
final class LiveOnlyFeeds: Sendable {
    /// What an item takes until it is told, however short it is: so much of it counts beside its body.
    static let bytesPerItem = 512

    private let epoch = RandomName.epoch()
    private let offset = Mutex<Int64>(0)

    /// Tells the items to who is subscribed.
    ///
    /// - Parameter share: of the publish, which counts until every shard has read of it: what is published faster than
    ///   that is then refused.
    /// - Returns: where each item is, in their order.
    func publish(
        _ items: [FeedItem], at now: Timestamp, through hub: LiveHub, _ share: PublishLoad.Share
    ) -> [FeedReceipt] {
        var commit = Commit()
        // Told under the lock: else two that publish to one feed at once might reach a shard in different orders.
        return offset.withLock { offset in
            let receipts = items.map { item in
                var item = item
                item.stamp(now)
                offset += 1
                let position = FeedPosition(epoch: epoch, offset: offset)
                commit.feeds.append(.init(item: item, position: position))
                return FeedReceipt(position: position, publishedAt: now, isNew: true)
            }
            hub.tell(commit, holding: share)
            return receipts
        }
    }

    /// Whether this is a place in one of these feeds.
    func hold(_ position: FeedPosition) -> Bool { position.epoch == epoch }

    /// What there is to read of such a feed: nothing, and whether somebody missed any is not known.
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
