import Transport
import WireProtocol

/// The client's role: connects, and echoes the server's messages until the server closes.
struct EchoClient: Sendable {
    /// The result of one connection.
    struct Outcome: Sendable {
        /// ``WebSocketEnding/code``.
        let closeCode: UInt16
        let messageCount: Int
    }

    private let shard: Shard
    private let options: EchoOptions
    /// The trusted certificates for `wss` URLs.
    private let tls: TLSClientContext

    init(_ options: EchoOptions, tls: TLSClientContext) throws(SystemCallError) {
        shard = try Shard(index: 0, poller: options.poller)
        self.options = options
        self.tls = tls
    }

    /// Returns when the connection has ended.
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
