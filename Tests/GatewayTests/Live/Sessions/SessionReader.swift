import Inbox
import Store
import Transport

@testable import Gateway

/// A session's machine and what its reader was told, in the manner of a session: a queue of bytes that the reader
/// empties when the test says so.
struct SessionReader {
    enum Told: Hashable {
        case replay(Int64)
        case live(Int64)
        case gap(from: Int64, to: Int64)
    }

    private(set) var machine = SessionMachine()
    private(set) var told: [Told] = []
    private(set) var queuedBytes = 0
    private(set) var mostQueuedBytes = 0
    /// The message that tells every change.
    private let frame: OutgoingMessage
    private let maximumQueuedBytes: Int
    var frameBytes: Int { frame.byteCount }

    /// - Parameter textBytes: without the frame's header.
    init(maximumQueuedBytes: Int, textBytes: Int = 98) {
        self.maximumQueuedBytes = maximumQueuedBytes
        frame = OutgoingMessage(text: [UInt8](repeating: 0x20, count: textBytes))
    }

    mutating func begin() { machine.begin(maximumQueuedBytes: maximumQueuedBytes) }

    mutating func end() { machine.end() }

    mutating func deliver(_ stamp: ChangeStamp) {
        let delivery = machine.deliver(
            stamp, frame: frame, queuedBytes: queuedBytes, maximumQueuedBytes: maximumQueuedBytes)
        if delivery == .send { tell(.live(stamp.seq)) }
    }

    mutating func recovered(_ recovery: Recovery) {
        machine.recovered(recovery)
        catchUp()
    }

    mutating func catchUp() {
        while let next = machine.next(queuedBytes: queuedBytes, maximumQueuedBytes: maximumQueuedBytes) {
            switch next {
            case .replay(let change): tell(.replay(change.stamp.seq))
            case .held(let held): tell(.live(held.seq))
            case .gap(let gap): tell(.gap(from: gap.from, to: gap.to))
            }
        }
    }

    /// The reader takes this many bytes, or all.
    mutating func take(_ bytes: Int = .max) {
        queuedBytes -= min(bytes, queuedBytes)
        if queuedBytes == 0 { catchUp() }
    }

    private mutating func tell(_ news: Told) {
        told.append(news)
        queuedBytes += frameBytes
        mostQueuedBytes = max(mostQueuedBytes, queuedBytes)
    }
}

extension [SessionReader.Told] {
    /// Every `seq` that the reader knows of, in the order in which it was told.
    var sequence: [Int64] {
        flatMap { news -> [Int64] in
            switch news {
            case .replay(let seq), .live(let seq): [seq]
            case .gap(let from, let to): [Int64](from...to)
            }
        }
    }

    /// As ``sequence``, without what gaps tell of.
    var frames: [Int64] {
        compactMap { news in
            switch news {
            case .replay(let seq), .live(let seq): seq
            case .gap: nil
            }
        }
    }
}

/// An inbox as a plain list of its changes, all of them new notifications or reads.
struct InboxHistory {
    private(set) var state = InboxState(epoch: "e1")
    private(set) var stamps: [ChangeStamp] = []

    @discardableResult
    mutating func commit() -> ChangeStamp {
        let stamp = state.unread > 2 ? state.read(2, unseen: 1) : state.add()
        stamps.append(stamp)
        return stamp
    }

    mutating func commit(_ count: Int) -> [ChangeStamp] { (0..<count).map { _ in commit() } }

    /// A store's answer, at this moment, to a client that knows everything up to `seq`.
    func recovery(from seq: Int64) -> Recovery {
        let changes = stamps[Int(seq)...].map { InboxChange(stamp: $0, kind: .new(.at($0.seq))) }
        return Recovery(state: state, result: .changes(changes))
    }

    var reset: Recovery { Recovery(state: state, result: .reset([])) }

    func position(at seq: Int64) -> SessionMachine.Position {
        SessionMachine.Position(seq: seq, unread: seq == 0 ? 0 : stamps[Int(seq) - 1].unread)
    }
}
