/// The numbers in every frame about an inbox: the change's number and the counts right after it.
package struct ChangeStamp: Sendable, Hashable {
    package let seq: Int64
    package let unread: Int64
    package let unseen: Int64
    /// By how much the change moved `unread`.
    package let delta: Int64

    package init(seq: Int64, unread: Int64, unseen: Int64, delta: Int64) {
        self.seq = seq
        self.unread = unread
        self.unseen = unseen
        self.delta = delta
    }
}
