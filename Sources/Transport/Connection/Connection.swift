import Glibc

/// One socket on its shard: reads go to the handler, writes leave at the end of the turn.
///
/// Kept small, 96 bytes with malloc's own: ten thousand idle connections must cost little.
package final class Connection: PollHandler {
    enum State: UInt8 {
        case open
        /// Queued output is sent, and nothing is read.
        case finishing
        /// All output was sent and the peer knows. Further input is discarded until the peer closes too.
        case lingering
        case closed
    }

    // Reached through accessors only, so that each access ends at once. The compiler would otherwise check each read
    // and write several times for overlapping access.
    private var currentID: ConnectionID
    private var currentHandler: (any ConnectionHandler)?
    private var currentStream: ByteStream
    var lease = ConnectionLease.none
    var outgoing = OutgoingQueue()
    /// The handler's deadline, in the shard's ticks; `never` for none.
    var deadline = never
    private var takenBytesModulo: UInt32 = 0
    /// Fires at `deadline` or earlier, and checks again then.
    var timer: TimingWheel<TimerTarget>.Timer?
    var state = State.open
    var flags = ConnectionFlags()
    /// An errno, which always fits; 0 for none.
    private var failureCode: UInt8 = 0

    static let never = Int64.max

    /// Takes over `descriptor`, a connected nonblocking socket; closes it even when it throws.
    ///
    /// - Parameter tls: encrypts the connection, as the server's side; nil for plain bytes. The handshake has its own
    ///   time limit, and a deadline set during the handshake counts from its end.
    package convenience init(
        descriptor: Int32, tls: TLSContext? = nil, on: borrowing OnShard,
        handler: (Connection) -> any ConnectionHandler
    ) throws(SystemCallError) {
        try self.init(descriptor: descriptor, tls: tls.map { .server($0) }, on: on, handler: handler)
    }

    /// Takes over `descriptor` as the client's side of TLS: a nonblocking socket that is connected or about to be.
    /// Closes it even when it throws.
    ///
    /// - Parameter host: the identity that the peer must prove: a name, or an address without brackets.
    package convenience init(
        descriptor: Int32, tls: TLSClientContext, host: String, on: borrowing OnShard,
        handler: (Connection) -> any ConnectionHandler
    ) throws(SystemCallError) {
        try self.init(descriptor: descriptor, tls: .client(tls, host: host), on: on, handler: handler)
    }

    /// The same as ``init(descriptor:tls:on:handler:)``, for a descriptor that the shard watches already.
    convenience init(
        taking id: ConnectionID, tls: TLSContext?, on: borrowing OnShard,
        handler: (Connection) -> any ConnectionHandler
    ) {
        self.init(id, tls.map { .server($0) }, on)
        on.shard.handOver(id, to: self, on)
        begin(on, handler: handler)
    }

    private convenience init(
        descriptor: Int32, tls: TLSHandshake.Side?, on: borrowing OnShard,
        handler: (Connection) -> any ConnectionHandler
    ) throws(SystemCallError) {
        self.init(ConnectionID(descriptor: descriptor, generation: 0), tls, on)
        do {
            currentID = try on.shard.add(descriptor, handler: self, for: interest, on)
        } catch {
            state = .closed
            Glibc.close(descriptor)
            throw error
        }
        begin(on, handler: handler)
    }

    private init(_ id: ConnectionID, _ tls: TLSHandshake.Side?, _ on: borrowing OnShard) {
        currentID = id
        currentStream =
            if let tls { .handshaking(TLSHandshake(tls, startTick: on.shard.tick(after: on.now))) } else { .plain }
    }

    private func begin(_ on: borrowing OnShard, handler makeHandler: (Connection) -> any ConnectionHandler) {
        on.shard.countConnection(1)
        updateInterest(on)
        if case .handshaking(let handshake) = stream { beginWaiting(for: handshake, on) }
        handler = makeHandler(self)
    }

    package var id: ConnectionID { currentID }
    package var handler: (any ConnectionHandler)? {
        get { currentHandler }
        set { currentHandler = newValue }
    }
    var stream: ByteStream {
        get { currentStream }
        set { currentStream = newValue }
    }

    package var isOpen: Bool { state == .open }

    /// The number of bytes the socket has taken, modulo 2^32: two values minutes apart tell whether it took any.
    package internal(set) var takenBytes: Int {
        get { Int(takenBytesModulo) }
        set { takenBytesModulo = UInt32(truncatingIfNeeded: newValue) }
    }

    /// The system's errno after the socket failed; nil before.
    private(set) var failure: Int32? {
        get { failureCode == 0 ? nil : Int32(failureCode) }
        set { failureCode = UInt8(truncatingIfNeeded: newValue ?? 0) }
    }

    /// Why TLS failed; nil before that.
    package var tlsFailure: TLSFailure? {
        guard case .failed(let failure) = stream else { return nil }
        return failure
    }

    /// The protocol that both sides of TLS agreed on; nil before the end of the handshake, or without ALPN.
    package var applicationProtocol: String? {
        guard case .tls(let session) = stream else { return nil }
        return session.alpn
    }

    // MARK: Ends

    /// Sends queued output, announces the end, and closes when the peer has closed too, or soon after.
    ///
    /// A close at once, with unread bytes of the peer, would reset the connection, and the peer could lose the last
    /// output (RFC 9112 §9.6).
    package func finish(_ on: borrowing OnShard) {
        guard state == .open else { return }
        if case .handshaking = stream, outgoing.isEmpty { return close(on) }
        state = .finishing
        noteClearness(on)
        if outgoing.isEmpty { return linger(on) }
        limitDeadline(to: ConnectionTimeouts.finish, on)
        updateInterest(on)
        if !flags.isBlocked { flushLater(on) }
    }

    func linger(_ on: borrowing OnShard) {
        if case .tls(let session) = stream {
            session.shutdown()
            // The close notify is sent first, when the socket becomes writable.
            if session.holdsOutput { return block(on) }
            stream = .plain
        } else if flags.peerHasFinished {
            return close(on)
        }
        guard shutdown(id.descriptor, Int32(SHUT_WR)) == 0 else { return close(on) }
        state = .lingering
        flags = ConnectionFlags()
        updateInterest(on)
        deadline = Self.never
        limitDeadline(to: ConnectionTimeouts.linger, on)
    }

    func fail(_ errno: Int32, _ on: borrowing OnShard) {
        failure = errno
        close(on)
    }

    func fail(_ reason: TLSFailure, _ on: borrowing OnShard) {
        stream = .failed(reason)
        fail(reason.errno ?? EPROTO, on)
    }

    /// Closes at once and drops queued output.
    package func close(_ on: borrowing OnShard) {
        guard state != .closed else { return }
        state = .closed
        outgoing = OutgoingQueue()
        cancelTimer(on)
        if case .handshaking(let handshake) = stream { handshake.count(isComplete: false) }
        if case .tls(let session) = stream { session.shutdown() }
        // This object may be held for longer; TLS's kilobytes need not be.
        if tlsFailure == nil { stream = .plain }
        on.shard.close(id, on)
        on.shard.countConnection(-1)
        on.shard.noteEnding(on)
        lease.end()
        lease = .none
        let handler = handler
        self.handler = nil
        handler?.closed(on)
    }

    func shardLeaves(_ on: borrowing OnShard) {
        // Input from before the shard leaves still counts.
        if state == .open, !flags.isPaused, !flags.peerHasFinished { read(untilEmpty: false, on) }
        handler?.shardLeaves(on)
    }

    func shardStops(_ on: borrowing OnShard) { close(on) }
}
