/// A place in a feed: everything up to `offset` is known.
package struct ResumePoint: Sendable, Hashable {
    /// Nil where the client does not know it; offsets of different epochs have nothing in common.
    package let epoch: String?
    package let offset: Int64

    package init(epoch: String? = nil, offset: Int64) {
        self.epoch = epoch
        self.offset = offset
    }
}
