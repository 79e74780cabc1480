import Inbox
import Storage
import Transport

/// The order of events of one live session: hello, recovery, replay, then live frames, with nothing lost or doubled
/// between.
///
/// The session joins its user's sessions before the store is read. What is committed meanwhile is held, and dropped if
/// the read covered it already.
struct SessionMachine {
    /// A frame that came before its turn.
    struct Held {
        let stamp: ChangeStamp
        let frame: OutgoingMessage
    }

    /// How far the client was told.
    struct Position: Hashable {
        let seq: Int64
        let unread: Int64
    }

    private enum Phase {
        case awaitingHello
        /// The store is being read.
        case loading(held: [Held])
        /// What was missed goes out as fast as the reader takes it.
        ///
        /// The read covers all up to `head`.
        case replaying(ArraySlice<InboxChange>, head: Int64, held: [Held])
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
    /// The newest change that the client was told of, or is by what is queued: a beat or an ack that went further would
    /// speak of changes that are still held, or part of a gap that was not told yet.
    private(set) var position: Position?

    init(maximumQueuedBytes: Int) {
        self.maximumQueuedBytes = maximumQueuedBytes
        gate = FoldingGate(maximumQueuedBytes: maximumQueuedBytes)
    }

    var awaitsHello: Bool { if case .awaitingHello = phase { true } else { false } }
    var isFolding: Bool { gate.gap != nil }
    /// Whether ``next(queuedBytes:)`` will have something once the reader has taken what is queued.
    var isBehind: Bool {
        switch phase {
        case .replaying: true
        case .live: isFolding
        case .awaitingHello, .loading, .ended: false
        }
    }
    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    /// The hello was good: the session joins and the store is asked.
    mutating func begin() {
        guard case .awaitingHello = phase else { return }
        phase = .loading(held: [])
    }

    /// A change of the user's inbox was committed.
    mutating func deliver(_ stamp: ChangeStamp, frame: OutgoingMessage, queuedBytes: Int) -> Delivery {
        switch phase {
        case .awaitingHello, .ended:
            return .keep
        case .loading(var held):
            phase = .ended
            hold(stamp, frame, in: &held)
            phase = .loading(held: held)
            return .keep
        case .replaying(let changes, let head, var held):
            // The store was read after this commit, but its news took longer: the replay has it.
            guard stamp.seq > head else { return .keep }
            phase = .ended
            hold(stamp, frame, in: &held)
            phase = .replaying(changes, head: head, held: held)
            return .keep
        case .live:
            guard stamp.seq > (gate.gap?.to ?? position?.seq ?? 0),
                gate.admits(seq: stamp.seq, unread: stamp.unread, bytes: frame.byteCount, queuedBytes: queuedBytes)
            else { return .keep }
            position = Position(stamp)
            return .send
        }
    }

    private mutating func hold(_ stamp: ChangeStamp, _ frame: OutgoingMessage, in held: inout [Held]) {
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
        let later = held.filter { $0.stamp.seq > state.seq }
        gate.cover(upTo: state.seq)
        position = Position(seq: state.seq, unread: state.unread)
        switch recovery.result {
        case .changes(let changes):
            if let first = changes.first?.stamp { position = Position(before: first) }
            phase = .replaying(changes[...], head: state.seq, held: later)
        case .reset:
            phase = .replaying([], head: state.seq, held: later)
        }
    }

    /// The next frame of the catch-up, or nil while the reader has enough, and once everything is live.
    mutating func next(queuedBytes: Int) -> CatchUp? {
        switch phase {
        case .awaitingHello, .loading, .ended:
            return nil
        case .live:
            guard queuedBytes == 0, let gap = gate.drained() else { return nil }
            position = Position(seq: gap.to, unread: gap.unread)
            return .gap(gap)
        case .replaying(var changes, let head, var held):
            guard queuedBytes < maximumQueuedBytes else { return nil }
            if let change = changes.popFirst() {
                position = Position(change.stamp)
                phase = .replaying(changes, head: head, held: held)
                return .replay(change)
            }
            if !held.isEmpty {
                let first = held.removeFirst()
                position = Position(first.stamp)
                phase = .replaying([], head: head, held: held)
                return .held(first)
            }
            phase = .live
            return next(queuedBytes: queuedBytes)
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
