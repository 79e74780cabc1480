/// The frames that wait for a session's recovery, or for a feed's catch-up, so many at most: what comes beyond is folded
/// into a gap.
struct HeldFrames {
    private static let maximumCount = 512

    private var frames: ArraySlice<HeldFrame> = []
    /// What is to be told as a gap once the frames are.
    private(set) var gate: FoldingGate

    init(maximumQueuedBytes: Int) { gate = FoldingGate(maximumQueuedBytes: maximumQueuedBytes) }

    var isFolding: Bool { gate.gap != nil }

    mutating func hold(_ frame: HeldFrame) {
        if frames.count < Self.maximumCount, !isFolding {
            frames.append(frame)
        } else {
            gate.fold(seq: frame.seq, unread: frame.unread)
        }
    }

    /// Everything up to `seq` reaches the reader another way.
    mutating func cover(upTo seq: Int64) {
        frames.removeAll { $0.seq <= seq }
        gate.cover(upTo: seq)
    }

    mutating func removeFirst() -> HeldFrame? { frames.popFirst() }
}
