import Inbox

/// An ``InboxState`` in 32 bytes, where it takes 48, and where its newest change is: those of a hundred thousand inboxes are
/// kept.
struct RememberedState: Sendable {
    private let epoch: String
    private let seq: UInt32
    private let unread: UInt32
    private let unseen: UInt32
    private let total: UInt32
    /// ``ByteRing/Position/none`` if it is not remembered.
    let newestChange: ByteRing.Position

    /// Nil for an inbox that has seen four billion changes, or has so many notifications: the store has to be asked.
    init?(_ state: InboxState, newestChange: ByteRing.Position) {
        guard let seq = UInt32(exactly: state.seq), let unread = UInt32(exactly: state.unread),
            let unseen = UInt32(exactly: state.unseen), let total = UInt32(exactly: state.total)
        else { return nil }
        epoch = state.epoch
        (self.seq, self.unread, self.unseen, self.total) = (seq, unread, unseen, total)
        self.newestChange = newestChange
    }

    var state: InboxState {
        InboxState(
            epoch: epoch, seq: Int64(seq), unread: Int64(unread), unseen: Int64(unseen), total: Int64(total))
    }
}
