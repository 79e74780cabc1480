import Inbox
import Storage
import Transport

/// The order of events of one live session: hello, recovery, replay, then live frames, with nothing lost or doubled
/// between.
///
/// The session joins its user's sessions before the store is read. What is committed meanwhile is held, and dropped if
/// the read covered it already. Three words, since every session has one; what only few need lies apart.
struct SessionMachine {
    /// How far the client was told.
    struct Position: Hashable {
        let seq: Int64
        let unread: Int64
    }

    /// An acknowledgement that came before the recovery.
    struct HeldAcknowledgement: Hashable {
        /// So many wait at most: a client has no reason for a second one.
        static let maximumCount = 16

        let seq: Int64
        /// What its answer is known by.
        let id: String?
    }

    private indirect enum Phase {
        case awaitingHello
        /// The store is being read. What is acknowledged meanwhile waits for that.
        case loading(HeldFrames, [HeldAcknowledgement])
        /// What was missed goes out as fast as the reader takes it.
        ///
        /// The read covers all up to `head`.
        case replaying(ArraySlice<InboxChange>, head: Int64, HeldFrames)
        case live
        /// The reader had enough: what comes is left out until it has taken all, and then told as a gap.
        case folding(FoldingGate)
        case ended
    }

    /// What becomes of a frame.
    enum Delivery: Equatable {
        case send
        /// It waits for its turn, or is part of a gap that the reader will be told of, or was covered already.
        case keep
    }

    /// The next thing to send while catching up.
    enum CatchUp {
        case replay(InboxChange)
        case held(HeldFrame)
        case gap(FoldingGate.Gap)
    }

    private var phase = Phase.awaitingHello
    /// What ``position`` is from the recovery on.
    private var told = Position(seq: 0, unread: 0)

    /// The newest change that the client was told of, or is by what is queued: a beat or an ack that went further would
    /// speak of changes that are still held, or part of a gap that was not told yet. Nil before the recovery and after
    /// the end.
    var position: Position? {
        switch phase {
        case .awaitingHello, .loading, .ended: nil
        case .replaying, .live, .folding: told
        }
    }

    var awaitsHello: Bool { if case .awaitingHello = phase { true } else { false } }
    var isFolding: Bool {
        switch phase {
        case .loading(let held, _), .replaying(_, _, let held): held.isFolding
        case .folding: true
        case .awaitingHello, .live, .ended: false
        }
    }
    /// Whether ``next(queuedBytes:maximumQueuedBytes:)`` will have something once the reader has taken what is queued.
    var isBehind: Bool {
        switch phase {
        case .replaying, .folding: true
        case .awaitingHello, .loading, .live, .ended: false
        }
    }
    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    /// The hello was good: the session joins and the store is asked.
    ///
    /// - Parameter maximumQueuedBytes: from how many waiting bytes on a reader has enough; the same at each call.
    mutating func begin(maximumQueuedBytes: Int) {
        guard case .awaitingHello = phase else { return }
        phase = .loading(HeldFrames(maximumQueuedBytes: maximumQueuedBytes), [])
    }

    /// A change of the user's inbox was committed.
    mutating func deliver(
        _ stamp: ChangeStamp, frame: OutgoingMessage, queuedBytes: Int, maximumQueuedBytes: Int
    ) -> Delivery {
        switch phase {
        case .awaitingHello, .ended:
            return .keep
        case .loading(var held, let acknowledgements):
            phase = .ended
            held.hold(HeldFrame(seq: stamp.seq, unread: stamp.unread, message: frame))
            phase = .loading(held, acknowledgements)
            return .keep
        case .replaying(let changes, let head, var held):
            // The store was read after this commit, but its news took longer: the replay has it.
            guard stamp.seq > head else { return .keep }
            phase = .ended
            held.hold(HeldFrame(seq: stamp.seq, unread: stamp.unread, message: frame))
            phase = .replaying(changes, head: head, held)
            return .keep
        case .live:
            guard stamp.seq > told.seq else { return .keep }
            var gate = FoldingGate(maximumQueuedBytes: maximumQueuedBytes)
            guard gate.admits(stamp, frame, queuedBytes: queuedBytes) else {
                phase = .folding(gate)
                return .keep
            }
            told = Position(stamp)
            return .send
        case .folding(var gate):
            guard stamp.seq > (gate.gap?.to ?? 0) else { return .keep }
            gate.fold(seq: stamp.seq, unread: stamp.unread)
            phase = .folding(gate)
            return .keep
        }
    }

    /// An attentive client has acknowledged: before the recovery nobody knows how far it was told.
    /// - Returns: false if it cannot wait for the recovery, as too many do already, or there is none to wait for.
    mutating func hold(_ acknowledgement: HeldAcknowledgement) -> Bool {
        guard case .loading(let held, var others) = phase, others.count < HeldAcknowledgement.maximumCount else {
            return false
        }
        others.append(acknowledgement)
        phase = .loading(held, others)
        return true
    }

    /// The store has answered: `ready` is to be sent now, and what ``next(queuedBytes:maximumQueuedBytes:)`` gives
    /// after it.
    /// - Returns: what was acknowledged before, to be taken in behind `ready`.
    @discardableResult
    mutating func recovered(_ recovery: Recovery) -> [HeldAcknowledgement] {
        guard case .loading(var held, let acknowledgements) = phase else { return [] }
        let state = recovery.state
        held.cover(upTo: state.seq)
        told = Position(seq: state.seq, unread: state.unread)
        switch recovery.result {
        case .changes(let changes):
            if let first = changes.first?.stamp { told = Position(before: first) }
            phase = .replaying(changes[...], head: state.seq, held)
        case .reset:
            phase = .replaying([], head: state.seq, held)
        }
        return acknowledgements
    }

    /// The next frame of the catch-up, or nil while the reader has enough, and once everything is live.
    mutating func next(queuedBytes: Int, maximumQueuedBytes: Int) -> CatchUp? {
        switch phase {
        case .awaitingHello, .loading, .live, .ended:
            return nil
        case .folding(var gate):
            guard queuedBytes == 0, let gap = gate.drained() else { return nil }
            phase = .live
            told = Position(seq: gap.to, unread: gap.unread)
            return .gap(gap)
        case .replaying(var changes, let head, var held):
            guard queuedBytes < maximumQueuedBytes else { return nil }
            if let change = changes.popFirst() {
                told = Position(change.stamp)
                phase = .replaying(changes, head: head, held)
                return .replay(change)
            }
            if let first = held.removeFirst() {
                told = Position(seq: first.seq, unread: first.unread)
                phase = .replaying([], head: head, held)
                return .held(first)
            }
            phase = held.isFolding ? .folding(held.gate) : .live
            return next(queuedBytes: queuedBytes, maximumQueuedBytes: maximumQueuedBytes)
        }
    }

    mutating func end() { phase = .ended }
}

extension SessionMachine.Position {
    fileprivate init(_ change: ChangeStamp) { self.init(seq: change.seq, unread: change.unread) }

    fileprivate init(before change: ChangeStamp) {
        self.init(seq: change.seq - 1, unread: change.unread - change.delta)
    }
}

extension FoldingGate {
    fileprivate mutating func admits(_ stamp: ChangeStamp, _ frame: OutgoingMessage, queuedBytes: Int) -> Bool {
        admits(seq: stamp.seq, unread: stamp.unread, bytes: frame.byteCount, queuedBytes: queuedBytes)
    }
}
