import Transport

/// Frames that wait for a session's recovery or a feed's catch-up: as many as a slow reader's queue may hold. The rest
/// is folded into a gap.
struct HeldFrames {
    private static let maximumCount = 512

    private var frames: ArraySlice<HeldFrame> = []
    private var byteCount = 0
    private let maximumBytes: Int
    /// Holds the gap that is told after the frames.
    private(set) var gate: FoldingGate

    init(maximumQueuedBytes: Int) {
        gate = FoldingGate(maximumQueuedBytes: maximumQueuedBytes)
        maximumBytes = maximumQueuedBytes
    }

    var isFolding: Bool { gate.gap != nil }
    /// The number of the last one, held or folded; nil without any.
    var last: Int64? { gate.gap?.to ?? frames.last?.seq }

    mutating func hold(_ frame: HeldFrame) {
        let bytes = byteCount + frame.message.byteCount
        // A frame above the limit goes alone, as it would to a reader in step.
        if frames.count < Self.maximumCount, !isFolding, frames.isEmpty || bytes <= maximumBytes {
            frames.append(frame)
            byteCount = bytes
        } else {
            gate.fold(seq: frame.seq, unread: frame.unread)
        }
    }

    /// Notes that changes up to `seq` reach the reader another way.
    mutating func cover(upTo seq: Int64) {
        frames.removeAll { $0.seq <= seq }
        byteCount = frames.reduce(0) { $0 + $1.message.byteCount }
        gate.cover(upTo: seq)
    }

    mutating func removeFirst() -> HeldFrame? {
        let frame = frames.popFirst()
        byteCount -= frame?.message.byteCount ?? 0
        return frame
    }
}
