import Transport
import WireProtocol

/// The client's role: connects, and sends back what the server sends until the server closes.
struct EchoClient: Sendable {
    /// How one connection went.
    struct Outcome: Sendable {
        /// As ``WebSocketEnding/code``.
        let closeCode: UInt16
        let messageCount: Int
    }

    private let shard: Shard
    private let options: EchoOptions
    /// Whom to trust at `wss` URLs.
    private let tls: TLSClientContext

    init(_ options: EchoOptions, tls: TLSClientContext) throws(SystemCallError) {
        shard = try Shard(index: 0, poller: options.poller)
        self.options = options
        self.tls = tls
    }

    /// Returns when the connection is over.
    ///
    /// - Throws: `WebSocketConnector.Failure` if it never opened.
    func echo(_ url: WebSocketURL) async throws -> Outcome {
        try await withCheckedThrowingContinuation { continuation in
            shard.post { [options, tls] on in
                let session = EchoSession(options) { session, event, _ in
                    guard case .closed(let ending) = event else { return }
                    continuation.resume(
                        returning: Outcome(closeCode: ending.code, messageCount: session.messageCount))
                }
                let target = WebSocketConnector.Target(url: url, tls: tls)
                WebSocketConnector.connect(target, handler: session, on) { failure, _ in
                    continuation.resume(throwing: failure)
                }
            }
        }
    }
}
