import Store
import Transport

/// One session's subscription to one feed: catch-up from the store, then live items, with nothing lost or doubled.
///
/// Nine bytes, since most sessions have one; rarely needed data lies apart.
struct FeedSubscription {
    private enum Phase {
        /// The catch-up with that number is being read, and items wait for it.
        indirect case loading(number: Int, HeldFrames)
        /// Items behind `covered` are sent as they come; the catch-up brought the others.
        case live(covered: Int64)
        /// The reader had enough: items are left out until it has taken all before, and then told as a gap.
        indirect case folding(FoldingGate)
    }

    private var phase: Phase

    /// - Parameters:
    ///   - catchUp: the number that the store's answer will carry.
    ///   - maximumQueuedBytes: with so many waiting bytes, a reader has enough; the same at each call.
    init(catchUp: Int, maximumQueuedBytes: Int) {
        phase = .loading(number: catchUp, HeldFrames(maximumQueuedBytes: maximumQueuedBytes))
    }

    /// Whether it waits for the catch-up with that number, and not for that of a later subscription.
    func awaits(catchUp number: Int) -> Bool {
        if case .loading(let awaited, _) = phase { awaited == number } else { false }
    }

    /// Whether ``drained()`` will return a gap.
    var isBehind: Bool { if case .folding = phase { true } else { false } }

    /// Whether every item behind `offset` is to be sent as it comes, as long as the reader takes them. Such deliveries
    /// change nothing here, so they need not be reported.
    func isInStep(after offset: Int64) -> Bool {
        if case .live(let covered) = phase { covered <= offset } else { false }
    }

    /// Takes in a new committed item, with a higher offset than the last, and returns whether to send its frame now.
    mutating func deliver(
        offset: Int64, frame: OutgoingMessage, queuedBytes: Int, maximumQueuedBytes: Int
    ) -> Bool {
        switch phase {
        case .loading(let number, var held):
            phase = .live(covered: 0)  // so that holding does not copy
            held.hold(HeldFrame(seq: offset, unread: 0, message: frame))
            phase = .loading(number: number, held)
            return false
        case .live(let covered):
            guard offset > covered else { return false }
            var gate = FoldingGate(maximumQueuedBytes: maximumQueuedBytes)
            guard gate.admits(seq: offset, unread: 0, bytes: frame.byteCount, queuedBytes: queuedBytes) else {
                phase = .folding(gate)
                return false
            }
            return true
        case .folding(var gate):
            gate.fold(seq: offset, unread: 0)
            phase = .folding(gate)
            return false
        }
    }

    /// Notes that the catch-up was read as of `head`. It is to be sent now, and behind it the returned frames.
    mutating func loaded(head: Int64) -> [OutgoingMessage] {
        guard case .loading(_, var held) = phase else { return [] }
        held.cover(upTo: head)
        var covered = head
        var messages: [OutgoingMessage] = []
        while let frame = held.removeFirst() {
            covered = frame.seq
            messages.append(frame.message)
        }
        phase = held.isFolding ? .folding(held.gate) : .live(covered: covered)
        return messages
    }

    /// Notes that the catch-up was read, and is left out as the reader has enough: a gap will tell of it.
    mutating func leaveOut(from first: Int64, upTo head: Int64) {
        guard case .loading(_, let held) = phase else { return }
        var gate = held.gate
        _ = gate.drained()
        gate.fold(seq: first, unread: 0)
        gate.fold(seq: max(head, held.last ?? head), unread: 0)
        phase = .folding(gate)
    }

    /// Notes that the reader has taken everything, and returns the offsets that were left out, if any.
    ///
    /// During the catch-up a gap waits: earlier frames are still held.
    mutating func drained() -> FoldingGate.Gap? {
        guard case .folding(var gate) = phase, let gap = gate.drained() else { return nil }
        phase = .live(covered: gap.to)
        return gap
    }
}
