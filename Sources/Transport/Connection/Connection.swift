import Glibc

/// One socket on its shard: reads go to the handler, writes go out at the end of the turn.
///
/// Small on purpose: ten thousand idle ones must cost little.
package final class Connection: PollHandler {
    private enum State {
        case open
        /// What waits goes out, and nothing is read.
        case finishing
        /// All has gone out and the peer knows; what it still sends is thrown away until it closes too.
        case lingering
        case closed
    }

    /// How long a peer may take for the last bytes: as long as one may rest between requests.
    private static let finishTimeout = Duration.seconds(60)
    /// How long to wait for the peer's own close; most answer at once, and the others have had theirs.
    private static let lingerTimeout = Duration.seconds(2)
    /// A bound on reads in a row keeps one busy peer from holding up the others.
    private static let readsPerTurn = 4

    package private(set) var id: ConnectionID
    /// For naming the connection to others. On the shard itself `on.shard` is the same for less: this one is counted.
    unowned let shard: Shard
    private let stream: ByteStream
    package var handler: (any ConnectionHandler)?
    private var outgoing = OutgoingQueue()
    private var state = State.open
    private var isUnflushed = false
    private var isBlocked = false
    private var isReading = true
    private var peerHasFinished = false
    private var timer: TimingWheel<TimerTarget>.Timer?
    private var deadline: ContinuousClock.Instant?

    /// Takes over `descriptor`, a connected nonblocking socket; closes it even when it throws.
    ///
    /// - Parameter tls: encrypts what goes over it, as the server's side; nil for plain bytes.
    package convenience init(
        descriptor: Int32, tls: TLSContext? = nil, on: borrowing OnShard,
        handler: (Connection) -> any ConnectionHandler
    ) throws {
        do {
            let stream = try tls.map { ByteStream.tls(try TLSSession(context: $0, descriptor: descriptor)) } ?? .plain
            try self.init(descriptor: descriptor, stream: stream, on: on, handler: handler)
        } catch let failure as TLSFailure {
            Glibc.close(descriptor)
            throw failure
        }
    }

    init(
        descriptor: Int32, stream: ByteStream, on: borrowing OnShard,
        handler makeHandler: (Connection) -> any ConnectionHandler
    ) throws(SystemCallError) {
        shard = on.shard
        self.stream = stream
        id = ConnectionID(descriptor: descriptor, generation: 0)
        do {
            id = try on.shard.add(descriptor, handler: self, on)
        } catch {
            state = .closed
            Glibc.close(descriptor)
            throw error
        }
        on.shard.countConnection(1)
        handler = makeHandler(self)
    }

    /// How many bytes wait for the peer to take them.
    package var backlog: Int { outgoing.count }
    /// How many bytes wait because the peer does not take them; what this turn has queued so far is no sign of that.
    package var refusedBytes: Int { isBlocked ? outgoing.count : 0 }
    /// How many bytes the socket has taken so far.
    package private(set) var takenBytes = 0

    package var isOpen: Bool { state == .open }
    /// What the system said when the socket failed; nil while it has not.
    private(set) var failure: Int32?

    // MARK: Output

    /// Queues bytes; they leave at the end of this turn, together with whatever else is queued till then.
    package func send(_ bytes: [UInt8], _ on: borrowing OnShard) {
        guard state == .open else { return }
        outgoing.append(bytes)
        guard !isUnflushed, !isBlocked else { return }
        isUnflushed = true
        on.shard.needsFlush(self, on)
    }

    /// Sends what waits, says that no more comes, and closes when the peer has closed too, or soon after.
    ///
    /// Closing at once, with bytes of the peer unread, would reset the connection, and the peer could lose what was sent
    /// last (RFC 9112 §9.6).
    package func finish(_ on: borrowing OnShard) {
        guard state == .open else { return }
        state = .finishing
        if outgoing.isEmpty { return linger(on) }
        let latest = on.now + Self.finishTimeout
        setDeadline(min(deadline ?? latest, latest), on)
        if isBlocked { return watch(on) }
        guard !isUnflushed else { return }
        isUnflushed = true
        on.shard.needsFlush(self, on)
    }

    private func linger(_ on: borrowing OnShard) {
        guard !peerHasFinished, case .plain = stream, shutdown(id.descriptor, Int32(SHUT_WR)) == 0 else {
            return close(on)
        }
        state = .lingering
        isReading = true
        watch(on)
        setDeadline(on.now + Self.lingerTimeout, on)
    }

    /// Closes at once, whatever waits.
    package func close(_ on: borrowing OnShard) {
        guard state != .closed else { return }
        state = .closed
        outgoing = OutgoingQueue()
        setDeadline(nil, on)
        if case .tls(let session) = stream { session.shutdown() }
        on.shard.close(id, on)
        on.shard.countConnection(-1)
        let handler = handler
        self.handler = nil
        handler?.closed(on)
    }

    func flush(_ on: borrowing OnShard) {
        isUnflushed = false
        guard state != .closed else { return }
        while !outgoing.isEmpty {
            let outcome = outgoing.withNextRun(scratch: on.shard.sendBuffer) { stream.write(id.descriptor, $0) }
            switch outcome {
            case .moved(let count):
                outgoing.removeFirst(count)
                takenBytes &+= count
            case .wouldBlock, .wantsWrite: return block(on)
            case .ended: return close(on)
            case .failed(let errno): return fail(errno, on)
            }
        }
        unblock(on)
        if state == .finishing { linger(on) }
    }

    private func fail(_ errno: Int32, _ on: borrowing OnShard) {
        failure = errno
        close(on)
    }

    private func block(_ on: borrowing OnShard) {
        guard !isBlocked else { return }
        isBlocked = true
        watch(on)
        handler?.outputBlocked(on)
    }

    private func unblock(_ on: borrowing OnShard) {
        guard isBlocked else { return }
        isBlocked = false
        watch(on)
        handler?.outputDrained(on)
    }

    // MARK: Input

    /// Stops or resumes reading: backpressure towards the peer.
    package func setReading(_ isReading: Bool, _ on: borrowing OnShard) {
        guard state == .open, !peerHasFinished, isReading != self.isReading else { return }
        self.isReading = isReading
        watch(on)
    }

    func ready(_ readiness: Readiness, _ on: borrowing OnShard) {
        if readiness.contains(.writable) { flush(on) }
        let mayRead = readiness.contains(.readable) || stream.holdsInput
        let untilEmpty = stream.holdsInput || readiness.contains(.unrepeated)
        if mayRead, state == .open, isReading { read(untilEmpty: untilEmpty, on) }
        if mayRead, state == .lingering { discardInput(untilEmpty: untilEmpty, on) }
        // Reading tells why it ended, unless nobody reads any more.
        if readiness.contains(.ended), state != .closed, !(readiness.contains(.readable) && isReading) { close(on) }
    }

    private func read(untilEmpty: Bool, _ on: borrowing OnShard) {
        for _ in 0..<Self.readsPerTurn {
            let buffer = on.shard.receiveBuffer
            switch stream.read(id.descriptor, into: buffer) {
            case .moved(let count):
                handler?.received(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), on)
                // A full buffer means that more is waiting.
                guard count == buffer.count || untilEmpty, state == .open, isReading else { return }
            case .wouldBlock:
                return
            case .wantsWrite:
                return block(on)
            case .ended:
                setReading(false, on)
                peerHasFinished = true
                handler?.peerFinished(on)
                return
            case .failed(let errno):
                return fail(errno, on)
            }
        }
        if untilEmpty { readLater(on) }
    }

    /// Goes on where a turn's reads have ended, for pollers that may not come back for it.
    private func readLater(_ on: borrowing OnShard) {
        on.shard.post { [id] on in
            on.shard.ready(id.descriptor, generation: id.generation, [.readable, .unrepeated], on)
        }
    }

    private func discardInput(untilEmpty: Bool, _ on: borrowing OnShard) {
        for _ in 0..<Self.readsPerTurn {
            switch stream.read(id.descriptor, into: on.shard.receiveBuffer) {
            case .moved: continue
            case .wouldBlock, .wantsWrite: return
            case .ended, .failed: return close(on)
            }
        }
        if untilEmpty { readLater(on) }
    }

    private func watch(_ on: borrowing OnShard) {
        // What nobody reads must not be watched either: it would fire without end.
        on.shard.watch(id, reading: isReading && state != .finishing, writing: isBlocked, on)
    }

    // MARK: Time

    /// Sets the one deadline of this connection, or none; ``ConnectionHandler/deadlineReached(_:)`` tells when it comes.
    package func setDeadline(_ deadline: ContinuousClock.Instant?, _ on: borrowing OnShard) {
        self.deadline = state == .closed ? nil : deadline
        guard let deadline = self.deadline else {
            if let timer { on.shard.cancel(timer, on) }
            timer = nil
            return
        }
        // A later deadline leaves the timer where it is: it looks again when it fires, which is rarer than new deadlines.
        if let timer {
            guard deadline < timerDeadline else { return }
            on.shard.cancel(timer, on)
        }
        timerDeadline = deadline
        timer = on.shard.schedule(.connection(id), at: deadline, on)
    }

    /// For when `timer` is set.
    private var timerDeadline = ContinuousClock.now

    func deadlineReached(_ on: borrowing OnShard) {
        timer = nil
        guard let deadline else { return }
        if deadline > on.now { return setDeadline(deadline, on) }
        self.deadline = nil
        if state == .open { handler?.deadlineReached(on) } else { close(on) }
    }

    func shardLeaves(_ on: borrowing OnShard) {
        // What was sent before still counts.
        if state == .open, isReading { read(untilEmpty: stream.holdsInput, on) }
        handler?.shardLeaves(on)
    }

    func shardStops(_ on: borrowing OnShard) { close(on) }
}
