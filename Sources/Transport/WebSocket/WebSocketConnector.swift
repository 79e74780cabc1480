package import WireProtocol

/// The client's way to a WebSocket: connects, does the handshake, and becomes a client's ``WebSocketConnection``.
package final class WebSocketConnector: ConnectionHandler {
    package struct Target: Sendable {
        package var url: WebSocketURL
        /// The trusted certificates; required for a `wss` URL.
        package var tls: TLSClientContext?
        package var subprotocols: [String]
        package var headers: HTTPHeaders
        /// The address of this machine to connect from; nil lets the system choose.
        package var source: IPAddress?

        package init(
            url: WebSocketURL, tls: TLSClientContext? = nil, subprotocols: [String] = [], headers: HTTPHeaders = [:]
        ) {
            precondition(!url.isSecure || tls != nil, "a wss URL needs somebody to trust")
            self.url = url
            self.tls = url.isSecure ? tls : nil
            self.subprotocols = subprotocols
            self.headers = headers
        }
    }

    /// Why there is no WebSocket.
    package enum Failure: Error, Sendable, CustomStringConvertible {
        case unreachable(SystemCallError)
        /// TLS failed, so the connection cannot be trusted.
        case insecure(TLSFailure)
        case refused(ClientHandshakeFailure)
        case timedOut
        case closed

        package var description: String {
            switch self {
            case .unreachable(let error): "\(error)"
            case .insecure(let failure): "\(failure)"
            case .refused(let failure): "\(failure)"
            case .timedOut: "no answer in time"
            case .closed: "the server closed the connection"
            }
        }
    }

    private static let timeout = Duration.seconds(10)

    /// An attempt to connect to one address of the target's name.
    private struct Attempt {
        /// The index of the address, in the order in which they are tried.
        let index: Int
        let descriptor: Int32
    }

    /// A reference cycle with the connection, which lets go of its handler when it closes.
    private let connection: Connection
    private let target: Target
    private let addressIndex: Int
    private var handshake: WebSocketClientHandshake
    private let handler: any WebSocketHandler
    private let failed: (Failure, borrowing OnShard) -> Void
    private var isDone = false

    /// Connects from a shard. The look-up of a name may block: meant for client programs.
    ///
    /// - Parameter failed: called at most once, instead of the handler's `opened`.
    package static func connect(
        _ target: Target, handler: any WebSocketHandler, _ on: borrowing OnShard,
        failed: @escaping (Failure, borrowing OnShard) -> Void
    ) {
        connect(target, handler, after: nil, on, failed)
    }

    /// - Parameter failure: the error of the address with that index; earlier ones have failed too.
    private static func connect(
        _ target: Target, _ handler: any WebSocketHandler, after failure: (index: Int, error: SystemCallError)?,
        _ on: borrowing OnShard, _ failed: @escaping (Failure, borrowing OnShard) -> Void
    ) {
        do {
            let attempt = try open(target.url.address, from: target.source, after: failure)
            let nonce = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
            let handshake = WebSocketClientHandshake(
                authority: target.url.authority, path: target.url.path, subprotocols: target.subprotocols,
                headers: target.headers, deflate: handler.deflateSettings, nonce: nonce)
            let makeConnector: (Connection) -> any ConnectionHandler = { connection in
                WebSocketConnector(connection, target, attempt.index, handshake, handler, failed)
            }
            let connection =
                if let tls = target.tls {
                    try Connection(
                        descriptor: attempt.descriptor, tls: tls, host: target.url.host, on: on, handler: makeConnector)
                } else {
                    try Connection(descriptor: attempt.descriptor, on: on, handler: makeConnector)
                }
            connection.setDeadline(on.now + timeout, on)
            connection.send(handshake.request, on)
        } catch {
            failed(.unreachable(error), on)
        }
    }

    private init(
        _ connection: Connection, _ target: Target, _ addressIndex: Int, _ handshake: WebSocketClientHandshake,
        _ handler: any WebSocketHandler, _ failed: @escaping (Failure, borrowing OnShard) -> Void
    ) {
        self.connection = connection
        self.target = target
        self.addressIndex = addressIndex
        self.handshake = handshake
        self.handler = handler
        self.failed = failed
    }

    private static func open(
        _ address: SocketAddress, from source: IPAddress?, after failure: (index: Int, error: SystemCallError)?
    ) throws(SystemCallError) -> Attempt {
        var index = -1
        return try address.resolve { (family, pointer, length) throws(SystemCallError) in
            index += 1
            if let failure, index <= failure.index { throw failure.error }
            let descriptor = try ConnectingSocket.open(family, pointer, length, from: source, to: address)
            return Attempt(index: index, descriptor: descriptor)
        }
    }

    package func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        handshake.append(UnsafeRawBufferPointer(bytes))
        do {
            guard let acceptance = try handshake.next() else { return }
            isDone = true
            connection.removeDeadline()
            let webSocket = WebSocketConnection(connection, accepted: acceptance, handler: handler)
            connection.handler = webSocket
            webSocket.begin(acceptance.remainder, on)
        } catch {
            fail(.refused(error), on)
        }
    }

    private func fail(_ failure: Failure, _ on: borrowing OnShard) {
        guard !isDone else { return }
        isDone = true
        failed(failure, on)
        connection.close(on)
    }

    package func peerFinished(_ on: borrowing OnShard) { fail(handshake.refusal.map(Failure.refused) ?? .closed, on) }
    package func deadlineReached(_ on: borrowing OnShard) {
        fail(handshake.refusal.map(Failure.refused) ?? .timedOut, on)
    }
    package func outputBlocked(_ on: borrowing OnShard) {}
    package func outputDrained(_ on: borrowing OnShard) {}

    package func closed(_ on: borrowing OnShard) {
        if let failure = connection.tlsFailure, failure.errno == nil {
            return fail(failure.peerLeft ? .closed : .insecure(failure), on)
        }
        guard !isDone, connection.takenBytes == 0, let errno = connection.failure else {
            return fail(handshake.refusal.map(Failure.refused) ?? .closed, on)
        }
        // Not connected: of the addresses of "localhost", one may have no listener while another has one.
        isDone = true
        let error = SystemCallError("connect", errno: errno, subject: target.url.address.description)
        Self.connect(target, handler, after: (addressIndex, error), on, failed)
    }
}
