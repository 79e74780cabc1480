/// The numbers in every frame about an inbox: its position right after the change.
package struct LiveChange: Sendable, Hashable {
    package let seq: Int64
    package let unread: Int64
    package let unseen: Int64
    /// By how much the change moved `unread`.
    package let delta: Int64
    /// Whether the session missed the change and gets it now.
    package let isReplay: Bool

    package init(seq: Int64, unread: Int64, unseen: Int64, delta: Int64, isReplay: Bool = false) {
        self.seq = seq
        self.unread = unread
        self.unseen = unseen
        self.delta = delta
        self.isReplay = isReplay
    }
}
