import Transport

/// One connection to a sink: HTTP/2 or HTTP/1.1, as negotiated in the TLS handshake (RFC 7301).
final class SinkConnection: ConnectionHandler {
    private unowned let connection: Connection
    private let sink: Sink
    private let limits: HTTP2ServerSession.Limits

    init(_ connection: Connection, sink: Sink, limits: HTTP2ServerSession.Limits) {
        self.connection = connection
        self.sink = sink
        self.limits = limits
    }

    func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        // In both protocols the client speaks first, and only after the handshake.
        guard connection.applicationProtocol == "h2" else {
            let endpoint = HTTPEndpoint(SinkHTTPService(connection, sink: sink))
            return HTTPConnection.takeOver(connection, at: endpoint, received: bytes, on)
        }
        do throws(HTTP2Failure) {
            let handler = SinkHTTP2Connection(connection, try HTTP2ServerSession(limits: limits), sink: sink)
            connection.handler = handler
            handler.received(bytes, on)
        } catch {
            // There is no memory for a session.
            connection.close(on)
        }
    }

    func peerFinished(_ on: borrowing OnShard) { connection.close(on) }
    func deadlineReached(_ on: borrowing OnShard) {}
    func outputBlocked(_ on: borrowing OnShard) {}
    func outputDrained(_ on: borrowing OnShard) {}
    func closed(_ on: borrowing OnShard) {}
}
