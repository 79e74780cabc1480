import Inbox

/// The frames that wait for a session's recovery, so many at most: what comes beyond is folded into a gap.
struct HeldFrames {
    private static let maximumCount = 512

    private var frames: ArraySlice<SessionMachine.Held> = []
    /// What is to be told as a gap once the frames are.
    private(set) var gate: FoldingGate

    init(maximumQueuedBytes: Int) { gate = FoldingGate(maximumQueuedBytes: maximumQueuedBytes) }

    var isFolding: Bool { gate.gap != nil }

    mutating func hold(_ held: SessionMachine.Held) {
        if frames.count < Self.maximumCount, !isFolding {
            frames.append(held)
        } else {
            gate.fold(seq: held.stamp.seq, unread: held.stamp.unread)
        }
    }

    /// Everything up to `seq` reaches the reader another way.
    mutating func cover(upTo seq: Int64) {
        frames.removeAll { $0.stamp.seq <= seq }
        gate.cover(upTo: seq)
    }

    mutating func removeFirst() -> SessionMachine.Held? { frames.popFirst() }
}
