import Glibc

/// One socket on its shard: reads go to the handler, writes go out at the end of the turn.
///
/// Small on purpose: ten thousand idle ones must cost little.
package final class Connection: PollHandler {
    private enum State {
        case open
        /// What waits goes out, then the socket closes.
        case finishing
        case closed
    }

    package private(set) var id: ConnectionID
    package unowned let shard: Shard
    private let stream: ByteStream
    package var handler: (any ConnectionHandler)?
    private var outgoing = OutgoingQueue()
    private var state = State.open
    private var isUnflushed = false
    private var isBlocked = false
    private var isReading = true
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
            id = try shard.add(descriptor, handler: self, on)
        } catch {
            state = .closed
            Glibc.close(descriptor)
            throw error
        }
        shard.countConnection(1)
        handler = makeHandler(self)
    }

    /// How many bytes wait for the peer to take them.
    package var backlog: Int { outgoing.count }
    /// How many bytes the socket has taken so far.
    package private(set) var takenBytes = 0

    package var isOpen: Bool { state == .open }

    // MARK: Output

    /// Queues bytes; they leave at the end of this turn, together with whatever else is queued till then.
    package func send(_ bytes: [UInt8], _ on: borrowing OnShard) {
        guard state == .open else { return }
        outgoing.append(bytes)
        guard !isUnflushed, !isBlocked else { return }
        isUnflushed = true
        shard.needsFlush(self, on)
    }

    /// Sends what waits, then closes; reads nothing more.
    package func finish(_ on: borrowing OnShard) {
        guard state == .open else { return }
        state = .finishing
        if outgoing.isEmpty {
            close(on)
        } else if !isUnflushed, !isBlocked {
            isUnflushed = true
            shard.needsFlush(self, on)
        }
    }

    /// Closes at once, whatever waits.
    package func close(_ on: borrowing OnShard) {
        guard state != .closed else { return }
        state = .closed
        outgoing = OutgoingQueue()
        setDeadline(nil, on)
        if case .tls(let session) = stream { session.shutdown() }
        shard.close(id, on)
        shard.countConnection(-1)
        let handler = handler
        self.handler = nil
        handler?.closed(on)
    }

    func flush(_ on: borrowing OnShard) {
        isUnflushed = false
        guard state != .closed else { return }
        while !outgoing.isEmpty {
            let outcome = outgoing.withNextRun(scratch: shard.sendBuffer) { stream.write(id.descriptor, $0) }
            switch outcome {
            case .moved(let count):
                outgoing.removeFirst(count)
                takenBytes &+= count
            case .wouldBlock, .wantsWrite: return block(on)
            case .ended, .failed: return close(on)
            }
        }
        unblock(on)
        if state == .finishing { close(on) }
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
        guard state != .closed, isReading != self.isReading else { return }
        self.isReading = isReading
        watch(on)
    }

    func ready(_ readiness: Readiness, _ on: borrowing OnShard) {
        if readiness.contains(.writable) { flush(on) }
        let mayRead = readiness.contains(.readable) || stream.holdsInput
        if mayRead, state == .open, isReading { read(on) }
        // Reading tells why it ended, unless nobody reads any more.
        if readiness.contains(.ended), state != .closed, !(readiness.contains(.readable) && isReading) { close(on) }
    }

    private func read(_ on: borrowing OnShard) {
        // A full buffer means that more is waiting; a bound keeps one busy peer from holding up the others.
        var turnsLeft = stream.holdsInput ? Int.max : 4
        while turnsLeft > 0 {
            turnsLeft -= 1
            let buffer = shard.receiveBuffer
            switch stream.read(id.descriptor, into: buffer) {
            case .moved(let count):
                handler?.received(UnsafeRawBufferPointer(rebasing: buffer[..<count]), on)
                guard count == buffer.count || stream.holdsInput, state == .open, isReading else { return }
            case .wouldBlock:
                return
            case .wantsWrite:
                return block(on)
            case .ended:
                setReading(false, on)
                handler?.peerFinished(on)
                return
            case .failed:
                return close(on)
            }
        }
    }

    private func watch(_ on: borrowing OnShard) {
        shard.watch(id, reading: isReading, writing: isBlocked, on)
    }

    // MARK: Time

    /// Sets the one deadline of this connection, or none; ``ConnectionHandler/deadlineReached(_:)`` tells when it comes.
    package func setDeadline(_ deadline: ContinuousClock.Instant?, _ on: borrowing OnShard) {
        self.deadline = state == .closed ? nil : deadline
        guard let deadline = self.deadline else {
            if let timer { shard.cancel(timer, on) }
            timer = nil
            return
        }
        // A later deadline leaves the timer where it is: it looks again when it fires, which is rarer than new deadlines.
        if let timer {
            guard deadline < timerDeadline else { return }
            shard.cancel(timer, on)
        }
        timerDeadline = deadline
        timer = shard.schedule(.connection(id), at: deadline, on)
    }

    /// For when `timer` is set.
    private var timerDeadline = ContinuousClock.now

    func deadlineReached(_ on: borrowing OnShard) {
        timer = nil
        guard let deadline else { return }
        if deadline > on.now { return setDeadline(deadline, on) }
        self.deadline = nil
        handler?.deadlineReached(on)
    }

    func shardStops(_ on: borrowing OnShard) { close(on) }
}
