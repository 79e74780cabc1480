import Push
import Transport
import WireProtocol

/// A sink's answers on one HTTP/1.1 connection: to browsers, to curl, and to senders of all services but APNs.
///
/// Without streams, a fault of one stream affects the connection: `reset`, `refuseStream` and `goAway` close it.
final class SinkHTTPService: HTTPService {
    private unowned let connection: Connection
    private let sink: Sink

    /// A push to a browser is encrypted (`aes128gcm`, RFC 8188), and the sink is its receiver.
    var takesCodedBodies: Bool { true }

    init(_ connection: Connection, sink: Sink) {
        self.connection = connection
        self.sink = sink
    }

    func receive(_ head: HTTPRequestHead, from peer: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        .collect { [self] request, reply, on in serve(request, reply, on) }
    }

    private func serve(_ request: HTTPRequest, _ reply: HTTPReply, _ on: borrowing OnShard) {
        let request = SinkRequest(
            method: request.head.method, path: request.head.target,
            headers: request.head.headers.fields.map { ($0.name.lowercased(), $0.value) }, body: request.body)
        if let answer = SinkPages(sink).reply(to: request) { return reply.send(HTTPResponse(answer), on) }
        guard let recipient = sink.recipient(path: request.path) else {
            return reply.send(HTTPResponse(SinkPages.notFound), on)
        }
        guard !recipient.service.needsHTTP2 else { return reply.send(HTTPResponse(Self.versionNotSupported), on) }
        switch sink.receive(request, for: recipient) {
        case .answer(let answer): reply.send(HTTPResponse(answer), on)
        case .goAwayAfter(let answer): reply.send(HTTPResponse(answer, isLast: true), on)
        case .answerLater(let answer, let delay):
            on.shard.schedule(at: on.now + delay, on) { on in reply.send(HTTPResponse(answer), on) }
        case .silence: break
        case .reset, .refuse, .goAwayBefore, .drop: connection.close(on)
        }
    }

    private static let versionNotSupported = PushReply(status: 505)
}

extension HTTPResponse {
    /// - Parameter isLast: tells the client that the connection ends here.
    fileprivate init(_ reply: PushReply, isLast: Bool = false) {
        var headers = HTTPHeaders()
        for (name, value) in reply.headers { headers.add(name, value) }
        if isLast { headers.add("Connection", "close") }
        self.init(status: reply.status, headers: headers, body: reply.body)
    }
}
