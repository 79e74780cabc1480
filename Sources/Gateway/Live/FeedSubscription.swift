import Storage
import Transport

/// One session's subscription to one feed: catch-up from the store, then live items, nothing lost or doubled between.
struct FeedSubscription {
    private enum Phase {
        case loading(held: [(offset: Int64, frame: OutgoingMessage)])
        /// It is told of what comes behind `covered`: that much the catch-up brought, or the gap after it will tell.
        case live(covered: Int64)
    }

    /// So many frames wait for the catch-up at most; more are left out and told as a gap.
    private static let maximumHeld = 512

    private var phase = Phase.loading(held: [])
    private var gate: FoldingGate

    init(maximumQueuedBytes: Int) { gate = FoldingGate(maximumQueuedBytes: maximumQueuedBytes) }

    /// Whether ``drained()`` will have something to tell.
    var isBehind: Bool { if case .live = phase { gate.gap != nil } else { false } }

    /// Whether every item behind `offset` is to be sent as it comes, as long as the reader takes what it gets: such
    /// deliveries change nothing here, so they need not be told.
    func isInStep(after offset: Int64) -> Bool {
        guard case .live(let covered) = phase else { return false }
        return covered <= offset && gate.gap == nil
    }

    /// A new item was committed, each with a higher offset than the one before; whether its frame is to be sent now.
    mutating func deliver(offset: Int64, frame: OutgoingMessage, queuedBytes: Int) -> Bool {
        switch phase {
        case .loading(var held):
            guard held.count < Self.maximumHeld, gate.gap == nil else {
                gate.fold(seq: offset, unread: 0)
                return false
            }
            phase = .live(covered: 0)  // so that appending does not copy
            held.append((offset, frame))
            phase = .loading(held: held)
            return false
        case .live(let covered):
            guard offset > covered else { return false }
            return gate.admits(seq: offset, unread: 0, bytes: frame.byteCount, queuedBytes: queuedBytes)
        }
    }

    /// The catch-up was read as of `head`: it is to be sent now, and behind it the frames that this returns.
    mutating func loaded(head: Int64) -> [OutgoingMessage] {
        guard case .loading(let held) = phase else { return [] }
        let later = held.filter { $0.offset > head }
        gate.cover(upTo: head)
        phase = .live(covered: max(head, gate.gap?.to ?? 0, later.last?.offset ?? 0))
        return later.map(\.frame)
    }

    /// The reader has taken everything: the offsets that it must be told were left out, if any.
    ///
    /// While the catch-up is being read a gap waits: frames that came before it are still held.
    mutating func drained() -> FoldingGate.Gap? {
        guard case .live = phase else { return nil }
        return gate.drained()
    }
}
