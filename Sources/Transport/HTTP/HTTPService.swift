package import WireProtocol

/// What a listener serves; one instance a shard, called on that shard.
package protocol HTTPService: AnyObject {
    /// Decides about a request as soon as its head is there, before any of its body.
    func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition
}

/// What becomes of a request.
package enum HTTPDisposition {
    /// This answer, and the body is read over.
    case answer(HTTPResponse)
    /// The whole body first, then the call; the answer goes through the reply, at once or later.
    case collect((_ request: HTTPRequest, _ reply: HTTPReply, borrowing OnShard) -> Void)
    /// Body and answer flow at the same time.
    case stream(any HTTPStreamHandler)
    /// The connection becomes a WebSocket.
    case upgrade(WebSocketHandshake.Acceptance, any WebSocketHandler)
}

/// A request whose body has come whole.
package struct HTTPRequest: Sendable {
    package let head: HTTPRequestHead
    package let body: [UInt8]
}

/// Who is at the other end.
package struct Peer: Sendable, Hashable {
    /// The user id that the kernel vouches for, on a Unix socket; nil elsewhere.
    package let userID: UInt32?
    /// The socket's listener, as the configuration calls it.
    package let isLocal: Bool

    package init(userID: UInt32?, isLocal: Bool) {
        self.userID = userID
        self.isLocal = isLocal
    }
}

/// Limits of one HTTP connection.
package struct HTTPLimits: Sendable {
    package var headBytes: Int
    package var bodyBytes: Int
    /// From a request's first byte to the end of its head.
    package var headTimeout: Duration
    /// From the head to the end of a collected body.
    package var bodyTimeout: Duration
    /// Between requests.
    package var idleTimeout: Duration

    package init(
        headBytes: Int = 16 << 10, bodyBytes: Int = 1 << 20, headTimeout: Duration = .seconds(10),
        bodyTimeout: Duration = .seconds(60), idleTimeout: Duration = .seconds(60)
    ) {
        self.headBytes = headBytes
        self.bodyBytes = bodyBytes
        self.headTimeout = headTimeout
        self.bodyTimeout = bodyTimeout
        self.idleTimeout = idleTimeout
    }
}
