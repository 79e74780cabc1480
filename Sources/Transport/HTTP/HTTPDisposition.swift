package import WireProtocol

/// A service's decision about a request.
package enum HTTPDisposition {
    /// Sends this answer; the body is skipped.
    case answer(HTTPResponse)
    /// Collects the whole body, then makes the call; the answer goes through the reply, at once or later.
    case collect((_ request: HTTPRequest, _ reply: HTTPReply, borrowing OnShard) -> Void)
    /// The same, but the call may come while earlier requests of the connection wait for their answers. The request
    /// takes effect behind theirs, and does not depend on them.
    case collectOverlapping((_ request: HTTPRequest, _ reply: HTTPReply, borrowing OnShard) -> Void)
    /// There is no room: sends this answer, unless earlier requests of the connection are under way. Then the service
    /// is asked again after these are answered.
    case busy(HTTPResponse)
    /// Body and answer are sent at the same time.
    case stream(any HTTPStreamHandler)
    /// The connection becomes a WebSocket.
    case upgrade(WebSocketHandshake.Acceptance, any WebSocketHandler)
    /// The connection becomes an event stream, whose messages follow this answer's head.
    case events(HTTPResponse, any WebSocketHandler)
}
