import Storage
import Transport

/// One session's subscription to one feed: catch-up from the store, then live items, nothing lost or doubled between.
///
/// Nine bytes, since most sessions have one; what only few need at any time lies apart.
struct FeedSubscription {
    private enum Phase {
        /// The catch-up of that number is being read, and items wait for it.
        indirect case loading(number: Int, HeldFrames)
        /// It is told of what comes behind `covered`: that much the catch-up brought.
        case live(covered: Int64)
        /// The reader had enough: what comes is left out until it has taken all, and then told as a gap.
        indirect case folding(FoldingGate)
    }

    private var phase: Phase

    /// - Parameters:
    ///   - catchUp: what the answer to this subscription's question to the store is known by.
    ///   - maximumQueuedBytes: from how many waiting bytes on a reader has enough; the same at each call.
    init(catchUp: Int, maximumQueuedBytes: Int) {
        phase = .loading(number: catchUp, HeldFrames(maximumQueuedBytes: maximumQueuedBytes))
    }

    /// Whether it waits for the catch-up of that number, and not for that of a later subscription.
    func awaits(catchUp number: Int) -> Bool {
        if case .loading(let awaited, _) = phase { awaited == number } else { false }
    }

    /// Whether ``drained()`` will have something to tell.
    var isBehind: Bool { if case .folding = phase { true } else { false } }

    /// Whether every item behind `offset` is to be sent as it comes, as long as the reader takes what it gets: such
    /// deliveries change nothing here, so they need not be told.
    func isInStep(after offset: Int64) -> Bool {
        if case .live(let covered) = phase { covered <= offset } else { false }
    }

    /// A new item was committed, each with a higher offset than the one before; whether its frame is to be sent now.
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

    /// The catch-up was read as of `head`: it is to be sent now, and behind it the frames that this returns.
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

    /// The reader has taken everything: the offsets that it must be told were left out, if any.
    ///
    /// While the catch-up is being read a gap waits: frames that came before it are still held.
    mutating func drained() -> FoldingGate.Gap? {
        guard case .folding(var gate) = phase, let gap = gate.drained() else { return nil }
        phase = .live(covered: gap.to)
        return gap
    }
}
