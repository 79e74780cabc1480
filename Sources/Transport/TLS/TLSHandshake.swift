/// A connection's TLS during the handshake. Confined to the connection's shard.
final class TLSHandshake {
    enum Side {
        case server(TLSContext)
        /// Completes the handshake only with a peer that proves to be `host`.
        case client(TLSClientContext, host: String)

        var timeout: Duration {
            switch self {
            case .server(let context): context.handshakeTimeout
            case .client(let context, _): context.handshakeTimeout
            }
        }
    }

    private let side: Side
    /// Made at the first step, so that a peer that connects and sends nothing costs no 60 KB.
    private var session: TLSSession?
    /// The start in the shard's ticks: a deadline set during the handshake counts from its end.
    let startTick: Int64
    /// The readiness of the socket that the next step needs.
    private(set) var wants: Interest
    /// The handshake waits for its turn on the shard.
    var isQueued = false
    /// Other handshakes come first, and the socket need not be watched until then.
    var isUnwatched = false

    init(_ side: Side, startTick: Int64) {
        self.side = side
        self.startTick = startTick
        // A client sends first, after it is connected. A failure to connect may show as either event.
        switch side {
        case .server: wants = .reading
        case .client: wants = [.reading, .writing]
        }
    }

    var hasBegun: Bool { session != nil }
    var timeout: Duration { side.timeout }

    /// The server waits for a peer after a failure, because the peer may want to read the reason.
    var isServer: Bool {
        switch side {
        case .server: true
        case .client: false
        }
    }

    enum Outcome {
        case done(TLSSession)
        case goesOn
        case failed(TLSFailure)
    }

    /// Takes all steps that need no waiting.
    func step(_ descriptor: Int32) -> Outcome {
        do throws(TLSFailure) {
            let session = if let session { session } else { try makeSession(descriptor) }
            self.session = session
            switch session.handshake() {
            case .done: return .done(session)
            case .wouldBlock:
                wants = session.holdsOutput ? [.reading, .writing] : .reading
                return .goesOn
            case .failed(let failure): return .failed(failure)
            }
        } catch {
            return .failed(error)
        }
    }

    private func makeSession(_ descriptor: Int32) throws(TLSFailure) -> TLSSession {
        switch side {
        case .server(let context): try TLSSession(context: context, descriptor: descriptor)
        case .client(let context, let host): try TLSSession(context: context, host: host, descriptor: descriptor)
        }
    }

    /// Counts the end of the handshake.
    func count(isComplete: Bool) {
        switch side {
        case .server(let context): context.handshakes.count(isComplete: isComplete)
        case .client: break
        }
    }
}
