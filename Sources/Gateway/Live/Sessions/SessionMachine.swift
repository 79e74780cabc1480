import Inbox
import Store
import Transport

/// The order of events of one live session: hello, recovery, replay, then live frames, with nothing lost or doubled.
///
/// The session joins its user's sessions before the store is read. Changes committed meanwhile are held, and dropped if
/// the read covered them already. Twenty bytes, since every session has one; rarely needed data lies apart.
struct SessionMachine {
    /// How far the client was told.
    struct Position: Hashable {
        let seq: Int64
        /// In four bytes: no inbox has so many.
        private let storedUnread: UInt32
        var unread: Int64 { Int64(storedUnread) }

        init(seq: Int64, unread: Int64) { (self.seq, storedUnread) = (seq, UInt32(clamping: unread)) }
    }

    /// An acknowledgement that came before the recovery.
    struct HeldAcknowledgement: Hashable {
        /// How many wait at most: a client has no reason for a second one.
        static let maximumCount = 16

        let seq: Int64
        /// The id of its answer.
        let id: String?
    }

    private indirect enum Phase {
        case awaitingHello
        /// The store is being read, and acknowledgements wait for that.
        case loading(HeldFrames, [HeldAcknowledgement])
        /// Missed changes go out as fast as the reader takes them.
        ///
        /// The read covers everything up to `head`.
        case replaying(ArraySlice<InboxChange>, head: Int64, HeldFrames)
        case live
        /// The reader had enough: changes are left out until it has taken all before, and then told as a gap.
        case folding(FoldingGate)
        case ended
    }

    /// The decision about a frame.
    enum Delivery: Equatable {
        case send
        /// Do not send it: it waits for its turn, is part of a gap, or was covered already.
        case keep
    }

    /// The next frame of a catch-up.
    enum CatchUp {
        case replay(InboxChange)
        case held(HeldFrame)
        case gap(FoldingGate.Gap)
    }

    private var phase = Phase.awaitingHello
    /// The ``position`` once the session is recovered.
    private var told = Position(seq: 0, unread: 0)

    /// The newest change that the client was told of, or will be by queued frames. A beat or ack beyond it would speak
    /// of held changes, or of a gap that was not told yet. Nil before the recovery and after the end.
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
    /// Whether ``next(queuedBytes:maximumQueuedBytes:)`` will return a frame once the reader has taken the queued ones.
    var isBehind: Bool {
        switch phase {
        case .replaying, .folding: true
        case .awaitingHello, .loading, .live, .ended: false
        }
    }
    var hasEnded: Bool { if case .ended = phase { true } else { false } }

    /// Notes a good hello: the session joins, and the store is asked.
    ///
    /// - Parameter maximumQueuedBytes: with so many waiting bytes, a reader has enough; the same at each call.
    mutating func begin(maximumQueuedBytes: Int) {
        guard case .awaitingHello = phase else { return }
        phase = .loading(HeldFrames(maximumQueuedBytes: maximumQueuedBytes), [])
    }

    /// Takes in a committed change of the user's inbox.
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
            // The read covers this commit already, whose news took longer: the replay has it.
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

    /// Holds an attentive client's acknowledgement: before the recovery it is unknown how far the client was told.
    /// - Returns: false if too many wait already, or there is no recovery to wait for.
    mutating func hold(_ acknowledgement: HeldAcknowledgement) -> Bool {
        guard case .loading(let held, var others) = phase, others.count < HeldAcknowledgement.maximumCount else {
            return false
        }
        others.append(acknowledgement)
        phase = .loading(held, others)
        return true
    }

    /// Takes in the store's answer: `ready` is to be sent now, then the frames of
    /// ``next(queuedBytes:maximumQueuedBytes:)``.
    /// - Returns: the held acknowledgements, to be handled after `ready`.
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

    /// The next frame of the catch-up; nil while the reader has enough, and once everything is live.
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
