package import Inbox
package import Store

/// One row of `feed`, with the tip from its newest item's row.
package struct FeedRecord: Sendable {
    package let id: Int64
    package let epoch: String
    /// The newest items.
    package var tip: FeedTip
    /// The newest change of an item; nil without any.
    package var change: FeedTip.Place?
    /// All items and changes up to this offset may be gone; behind it, none has gone with time.
    package var trimmed: Int64

    /// The newest item or change.
    package var newest: FeedTip.Place? {
        guard let change, change.offset > tip.newest?.offset ?? 0 else { return tip.newest }
        return change
    }

    package var position: FeedPosition { FeedPosition(epoch: epoch, offset: newest?.offset ?? 0) }

    /// The place of the next item or change.
    package func next(at now: Timestamp) -> FeedTip.Place {
        FeedTip.Place(offset: position.offset + 1, time: FeedTip(newest: newest).nextStamp(at: now))
    }

    package init(id: Int64, epoch: String) { (self.id, self.epoch, tip, trimmed) = (id, epoch, FeedTip(), 0) }

    /// One as its row has it.
    package init(id: Int64, epoch: String, tip: FeedTip, change: FeedTip.Place?, trimmed: Int64) {
        (self.id, self.epoch, self.tip, self.change, self.trimmed) = (id, epoch, tip, change, trimmed)
    }
}
