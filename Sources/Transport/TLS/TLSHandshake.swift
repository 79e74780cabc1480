/// A connection's TLS while the two sides still shake hands. Confined to the connection's shard.
final class TLSHandshake {
    enum Side {
        case server(TLSContext)
        /// Shakes hands only with who proves to be `host`.
        case client(TLSClientContext, host: String)

        var timeout: Duration {
            switch self {
            case .server(let context): context.handshakeTimeout
            case .client(let context, _): context.handshakeTimeout
            }
        }
    }

    private let side: Side
    /// Made at the first step: a peer that connects and says nothing costs no 60 KB.
    private var session: TLSSession?
    /// When it began, in the shard's ticks: a deadline set meanwhile counts from the end.
    let startTick: Int64
    /// What the socket must be ready for before the next step.
    private(set) var wants: Interest
    /// Waits for its turn on the shard.
    var isQueued = false
    /// Its turn may come later, and meanwhile the socket need not be watched.
    var isUnwatched = false

    init(_ side: Side, startTick: Int64) {
        self.side = side
        self.startTick = startTick
        // A client speaks first, once it is connected. A failure to connect may be told either way.
        switch side {
        case .server: wants = .reading
        case .client: wants = [.reading, .writing]
        }
    }

    var hasBegun: Bool { session != nil }
    var timeout: Duration { side.timeout }

    /// The server is to be patient with a peer that failed: it may want to read why.
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

    /// Does what can be done without waiting.
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

    /// Counts how it ended.
    func count(isComplete: Bool) {
        switch side {
        case .server(let context): context.handshakes.count(isComplete: isComplete)
        case .client: break
        }
    }
}
