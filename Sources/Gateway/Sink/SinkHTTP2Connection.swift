import Push
import Transport

/// One HTTP/2 connection to a sink.
final class SinkHTTP2Connection: ConnectionHandler {
    private unowned let connection: Connection
    private let session: HTTP2ServerSession
    private let sink: Sink
    /// Later streams came before the client could know that they are refused.
    private var lastTakenStream = Int32.max

    init(_ connection: Connection, _ session: HTTP2ServerSession, sink: Sink) {
        self.connection = connection
        self.session = session
        self.sink = sink
    }

    func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        do {
            for case .request(let stream, let request) in try session.receive(UnsafeRawBufferPointer(bytes))
            where stream <= lastTakenStream && connection.isOpen {
                try serve(request, stream, on)
            }
        } catch {
            flush(on)
            return connection.finish(on)
        }
        flush(on)
    }

    private func serve(_ request: HTTP2Request, _ stream: Int32, _ on: borrowing OnShard) throws(HTTP2Failure) {
        let request = SinkRequest(
            method: request.method, path: request.path, headers: request.headers, body: request.body)
        if let reply = SinkPages(sink).reply(to: request) { return try respond(reply, stream) }
        guard let recipient = sink.recipient(path: request.path) else { return try respond(SinkPages.notFound, stream) }
        switch sink.receive(request, for: recipient) {
        case .answer(let reply): try respond(reply, stream)
        case .answerLater(let reply, let delay):
            on.shard.schedule(at: on.now + delay, on) { [weak self] on in
                guard let self else { return }
                // A stream that is gone by then takes no answer.
                try? respond(reply, stream)
                flush(on)
            }
        case .silence: break
        case .reset: try session.reset(stream)
        case .refuse: try session.refuse(stream)
        case .goAwayBefore:
            // A client's streams have odd numbers (RFC 9113 §5.1.1).
            lastTakenStream = stream - 2
            try session.goAway(lastStream: max(0, lastTakenStream))
        case .goAwayAfter(let reply):
            lastTakenStream = stream
            try respond(reply, stream)
            try session.goAway(lastStream: stream)
        case .drop:
            lastTakenStream = stream
            // Earlier answers go out at the end of this turn.
            on.shard.schedule(at: on.now, on) { [weak self] on in self?.connection.close(on) }
        }
    }

    private func respond(_ reply: PushReply, _ stream: Int32) throws(HTTP2Failure) {
        try session.respond(to: stream, status: reply.status, headers: reply.headers, body: reply.body)
    }

    private func flush(_ on: borrowing OnShard) {
        guard connection.isOpen else { return }
        do {
            connection.send(try session.pendingOutput(), on)
            if session.isFinished { connection.finish(on) }
        } catch {
            connection.close(on)
        }
    }

    func peerFinished(_ on: borrowing OnShard) { connection.close(on) }
    func deadlineReached(_ on: borrowing OnShard) {}
    func outputBlocked(_ on: borrowing OnShard) {}
    func outputDrained(_ on: borrowing OnShard) {}
    func closed(_ on: borrowing OnShard) {}
}
