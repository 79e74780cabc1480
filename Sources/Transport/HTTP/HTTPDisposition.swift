package import WireProtocol

/// What becomes of a request.
package enum HTTPDisposition {
    /// This answer, and the body is read over.
    case answer(HTTPResponse)
    /// The whole body first, then the call; the answer goes through the reply, at once or later.
    case collect((_ request: HTTPRequest, _ reply: HTTPReply, borrowing OnShard) -> Void)
    /// The same, and the call may come while earlier requests of the connection wait for their answers: it has its
    /// effect behind theirs all the same, and does not look at what they do.
    case collectOverlapping((_ request: HTTPRequest, _ reply: HTTPReply, borrowing OnShard) -> Void)
    /// There is no room: this answer, unless the connection's own requests may take it; then the service is asked again
    /// when these are answered.
    case busy(HTTPResponse)
    /// Body and answer flow at the same time.
    case stream(any HTTPStreamHandler)
    /// The connection becomes a WebSocket.
    case upgrade(WebSocketHandshake.Acceptance, any WebSocketHandler)
}
