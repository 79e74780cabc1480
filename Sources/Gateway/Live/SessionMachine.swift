import Inbox
import Storage

/// The order of events of one live session: hello, recovery, replay, then live frames, with nothing lost or doubled between.
///
/// The session joins its user's sessions before the store is read. What is committed meanwhile is held, and dropped if the
/// read covered it already.
struct SessionMachine {
    /// A frame that came before its turn.
    struct Held {
        let stamp: ChangeStamp
        let frame: [UInt8]
    }

    private enum Phase {
        case awaitingHello
        /// The store is being read.
        case loading(held: [Held])
        /// What was missed goes out as fast as the reader takes it.
        case replaying(ArraySlice<InboxChange>, held: [Held])
        case live
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
        case held(Held)
        case gap(FoldingGate.Gap)
    }

    /// So many frames wait for a recovery at most; more are folded.
    private static let maximumHeld = 512

    private let maximumQueuedBytes: Int
    private var phase = Phase.awaitingHello
    private var gate: FoldingGate
    /// The newest change that the client was told of, or will be by what is queued.
    private(set) var position: ChangeStamp?

    init(maximumQueuedBytes: Int) {
        self.maximumQueuedBytes = maximumQueuedBytes
        gate = FoldingGate(maximumQueuedBytes: maximumQueuedBytes)
    }

    var awaitsHello: Bool { if case .awaitingHello = phase { true } else { false } }
    var isFolding: Bool { gate.gap != nil }
    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    /// The hello was good: the session joins and the store is asked.
    mutating func begin() {
        guard case .awaitingHello = phase else { return }
        phase = .loading(held: [])
    }

    /// A change of the user's inbox was committed.
    mutating func deliver(_ stamp: ChangeStamp, frame: [UInt8], queuedBytes: Int) -> Delivery {
        switch phase {
        case .awaitingHello, .ended:
            return .keep
        case .loading(var held):
            phase = .ended
            hold(stamp, frame, in: &held)
            phase = .loading(held: held)
            return .keep
        case .replaying(let changes, var held):
            phase = .ended
            hold(stamp, frame, in: &held)
            phase = .replaying(changes, held: held)
            return .keep
        case .live:
            guard stamp.seq > (position?.seq ?? 0) else { return .keep }
            position = stamp
            let admits = gate.admits(
                seq: stamp.seq, unread: stamp.unread, bytes: frame.count, queuedBytes: queuedBytes)
            return admits ? .send : .keep
        }
    }

    private mutating func hold(_ stamp: ChangeStamp, _ frame: [UInt8], in held: inout [Held]) {
        if held.count < Self.maximumHeld, gate.gap == nil {
            held.append(Held(stamp: stamp, frame: frame))
        } else {
            gate.fold(seq: stamp.seq, unread: stamp.unread)
        }
    }

    /// The store has answered: `ready` is to be sent now, and what ``next(queuedBytes:)`` gives after it.
    mutating func recovered(_ recovery: Recovery) {
        guard case .loading(let held) = phase else { return }
        let state = recovery.state
        position = ChangeStamp(seq: state.seq, unread: state.unread, unseen: state.unseen, delta: 0)
        let later = held.filter { $0.stamp.seq > state.seq }
        switch recovery.result {
        case .changes(let changes): phase = .replaying(changes[...], held: later)
        case .reset: phase = .replaying([], held: later)
        }
    }

    /// The next frame of the catch-up, or nil while the reader has enough, and once everything is live.
    mutating func next(queuedBytes: Int) -> CatchUp? {
        switch phase {
        case .awaitingHello, .loading, .ended:
            return nil
        case .live:
            guard queuedBytes == 0 else { return nil }
            return gate.drained().map(CatchUp.gap)
        case .replaying(var changes, var held):
            guard queuedBytes < maximumQueuedBytes else { return nil }
            if let change = changes.popFirst() {
                phase = .replaying(changes, held: held)
                return .replay(change)
            }
            if !held.isEmpty {
                let first = held.removeFirst()
                position = first.stamp
                phase = .replaying([], held: held)
                return .held(first)
            }
            phase = .live
            if let gap = gate.gap { position = ChangeStamp(seq: gap.to, unread: gap.unread, unseen: 0, delta: 0) }
            return next(queuedBytes: queuedBytes)
        }
    }

    mutating func end() { phase = .ended }
}
