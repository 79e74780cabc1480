package import WireProtocol

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
