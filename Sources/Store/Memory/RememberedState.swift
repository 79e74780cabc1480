import Inbox

/// An ``InboxState`` with the position of its newest change, in 32 bytes instead of 56: a hundred thousand are kept.
struct RememberedState: Sendable {
    /// The bits of each count.
    private static var countBits: Int { 17 }
    /// Only after 17 TB of changes a position needs more bits.
    private static var positionBits: Int { 44 }

    private let epoch: String
    /// `seq`, and below it the upper part of the position.
    private let seqAndPosition: UInt64
    /// The counts, and below them the rest of the position.
    private let countsAndPosition: UInt64

    /// Nil for an inbox with four billion changes or 131,072 notifications: the store has to be asked.
    ///
    /// - Parameter newestChange: ``ByteRing/Position/none`` if it is not remembered.
    init?(_ state: InboxState, newestChange: ByteRing.Position) {
        guard let seq = UInt32(exactly: state.seq) else { return nil }
        var counts: UInt64 = 0
        for count in [state.unread, state.unseen, state.total] {
            guard count >= 0, count < 1 << Self.countBits else { return nil }
            counts = counts << Self.countBits | UInt64(count)
        }
        epoch = state.epoch
        let position = newestChange.number < 1 << Self.positionBits ? newestChange.number : 0
        (seqAndPosition, countsAndPosition) = (UInt64(seq) << 32 | position >> 12, counts << 12 | position & 0xFFF)
    }

    var newestChange: ByteRing.Position {
        ByteRing.Position(number: (seqAndPosition & 0xFFFF_FFFF) << 12 | countsAndPosition & 0xFFF)
    }

    var state: InboxState {
        InboxState(
            epoch: epoch, seq: Int64(seqAndPosition >> 32), unread: count(2), unseen: count(1), total: count(0))
    }

    /// - Parameter place: counted from the last one.
    private func count(_ place: Int) -> Int64 {
        Int64(countsAndPosition >> (12 + place * Self.countBits) & (1 << Self.countBits - 1))
    }
}
