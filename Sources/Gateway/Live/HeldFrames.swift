import Transport

/// The frames that wait for a session's recovery, or for a feed's catch-up, as many as a slow reader's queue may hold:
/// what comes beyond is folded into a gap.
struct HeldFrames {
    private static let maximumCount = 512

    private var frames: ArraySlice<HeldFrame> = []
    private var byteCount = 0
    private let maximumBytes: Int
    /// What is to be told as a gap once the frames are.
    private(set) var gate: FoldingGate

    init(maximumQueuedBytes: Int) {
        gate = FoldingGate(maximumQueuedBytes: maximumQueuedBytes)
        maximumBytes = maximumQueuedBytes
    }

    var isFolding: Bool { gate.gap != nil }

    mutating func hold(_ frame: HeldFrame) {
        let bytes = byteCount + frame.message.byteCount
        // One that is longer than all may be goes alone, as it would to a reader in step.
        if frames.count < Self.maximumCount, !isFolding, frames.isEmpty || bytes <= maximumBytes {
            frames.append(frame)
            byteCount = bytes
        } else {
            gate.fold(seq: frame.seq, unread: frame.unread)
        }
    }

    /// Everything up to `seq` reaches the reader another way.
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
