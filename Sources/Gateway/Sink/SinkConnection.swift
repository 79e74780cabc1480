import Push
import Transport

/// One HTTP/2 connection to a sink.
final class SinkConnection: ConnectionHandler {
    private unowned let connection: Connection
    private let sink: Sink
    private let session: HTTP2ServerSession?

    init(_ connection: Connection, sink: Sink) {
        self.connection = connection
        self.sink = sink
        // Fails without memory only; such a connection is closed at its first bytes.
        session = try? HTTP2ServerSession()
    }

    func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        guard let session else { return connection.close(on) }
        do {
            for case .request(let stream, let request) in try session.receive(UnsafeRawBufferPointer(bytes)) {
                try serve(request, stream, session, on)
            }
        } catch {
            flush(on)
            return connection.finish(on)
        }
        flush(on)
    }

    private func serve(
        _ request: HTTP2Request, _ stream: Int32, _ session: HTTP2ServerSession, _ on: borrowing OnShard
    ) throws(HTTP2Failure) {
        let request = SinkRequest(
            method: request.method, path: request.path, headers: request.headers, body: request.body)
        switch sink.decide(request) {
        case .answer(let reply): try respond(reply, stream, session)
        case .answerLater(let reply, let delay):
            on.shard.schedule(at: on.now + delay, on) { [weak self] on in
                guard let self else { return }
                // A stream that is gone by then takes no answer.
                try? respond(reply, stream, session)
                flush(on)
            }
        case .reset: try session.reset(stream)
        case .goAway: try session.goAway()
        case .silence: break
        }
    }

    private func respond(_ reply: PushReply, _ stream: Int32, _ session: HTTP2ServerSession) throws(HTTP2Failure) {
        try session.respond(to: stream, status: reply.status, headers: reply.headers, body: reply.body)
    }

    private func flush(_ on: borrowing OnShard) {
        guard let session else { return }
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
