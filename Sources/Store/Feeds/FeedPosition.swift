/// A place in a feed: offsets count from 1 within an epoch. A client that does not know the epoch gives an empty one,
/// which makes the place unknown.
package struct FeedPosition: Sendable, Hashable {
    package let epoch: String
    package let offset: Int64

    package init(epoch: String, offset: Int64) {
        self.epoch = epoch
        self.offset = offset
    }
}
