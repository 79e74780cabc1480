import Glibc
import WireProtocol

extension HTTPConnection {
    func reply(_ response: HTTPResponse, serial: UInt64, _ on: borrowing OnShard) {
        guard answers.isEmpty else { return settle(response, serial: serial, on) }
        guard case .answering(let head, _) = state, serial == self.serial else { return }
        // Requests that a peer sent before it finished are answered too.
        let isLast = peerHasFinished && parser.isBetweenRequests
        answer(head, response, isKeepAlive: head.isKeepAlive && !isLast, on)
    }

    func answer(_ head: HTTPRequestHead, _ response: HTTPResponse, isKeepAlive: Bool, _ on: borrowing OnShard) {
        guard answers.isEmpty else {
            answers.expect(head, serial: serial)
            state = .idle
            connection.removeDeadline()
            return settle(response, serial: serial, on)
        }
        send(response, to: head, isKeepAlive: isKeepAlive, on)
        goOn(isKeepAlive, on)
    }

    func send(_ response: HTTPResponse, to head: HTTPRequestHead, isKeepAlive: Bool, _ on: borrowing OnShard) {
        if let crossOrigin = endpoint.crossOrigin {
            send(
                crossOrigin.share(response, with: head), isKeepAlive: isKeepAlive, omitsBody: head.method == "HEAD", on)
        } else {
            send(response, isKeepAlive: isKeepAlive, omitsBody: head.method == "HEAD", on)
        }
    }

    private func send(
        _ response: HTTPResponse, isKeepAlive: Bool, omitsBody: Bool = false, _ on: borrowing OnShard
    ) {
        // An origin server with a clock tells its time (RFC 9110 §6.6.1).
        let moment = endpoint.moment(at: Int64(time(nil)))
        let bytes =
            omitsBody
            ? response.encoded(isKeepAlive: isKeepAlive, omitsBody: true, date: moment.field)
            : endpoint.responses.encoded(response, isKeepAlive: isKeepAlive, at: moment)
        connection.send(bytes, on)
        if isBlocked { holdAnswers(on) }
    }

    func goOn(_ isKeepAlive: Bool, _ on: borrowing OnShard) {
        if bodyShare != nil { bodyShare = nil }
        guard isKeepAlive, !isLeaving else { return finish(on) }
        parser.maximumBodyBytes = limits.bodyBytes
        state = .idle
        // No measurement for a peer that takes its answers, because asking the kernel is a system call.
        if isBlocked {
            measureTime(limits.idleTimeout, on)
        } else {
            connection.setDeadline(on.now + limits.idleTimeout, on)
        }
        connection.setReading(!isBlocked, on)
        if !parser.isBetweenRequests { parse(on) }
    }

    /// Answers and closes, because the rest of the connection's bytes has no meaning.
    func refuse(_ violation: HTTPViolation, _ on: borrowing OnShard) {
        if case .streaming(_, let handler, _) = state {
            // The answer has begun, and another inside it would be taken for a part of it: the client only sees it
            // break off.
            finish(on)
            return handler.cancelled(on)
        }
        if case .skipping(let head, let response) = state, answers.isEmpty {
            // The answer was known before the body, and says more.
            return answer(head, response, isKeepAlive: false, on)
        }
        refuse(violation.problem, on)
    }

    func refuse(_ problem: Problem, _ on: borrowing OnShard) {
        guard answers.isEmpty else { return hold(.refusal(problem)) }
        let shared = unansweredHead.flatMap { head in endpoint.crossOrigin?.share(problem.response, with: head) }
        send(shared ?? problem.response, isKeepAlive: false, on)
        finish(on)
    }

    /// The head of the request that is being read.
    private var unansweredHead: HTTPRequestHead? {
        switch state {
        case .collecting(let head, _, _, _), .skipping(let head, _), .answering(let head, _),
            .streaming(let head, _, _):
            head
        case .idle, .readingHead, .held, .upgrading, .ending, .closed: nil
        }
    }

    /// Closes once the peer has taken its last answer.
    func finish(_ on: borrowing OnShard) {
        state = .ending
        bodyShare = nil
        // Sent now, to see whether the peer takes everything: a slow peer gets the time that it needs.
        connection.flush(on)
        guard case .ending = state else { return }
        guard isBlocked else { return endNow(on) }
        connection.setReading(false, on)
        measureTime(limits.idleTimeout, on)
    }

    func endNow(_ on: borrowing OnShard) {
        state = .closed
        connection.finish(on)
    }

    /// What a connection becomes.
    enum Upgrade {
        case webSocket(WebSocketHandshake.Acceptance)
        case events(HTTPResponse)
    }

    func upgrade(_ upgrade: Upgrade, _ handler: any WebSocketHandler, _ on: borrowing OnShard) {
        state = .closed
        connection.removeDeadline()
        let remainder = parser.takeRemainder()
        let webSocket: WebSocketConnection
        switch upgrade {
        case .webSocket(let acceptance):
            connection.send(acceptance.response, on)
            webSocket = WebSocketConnection(connection, accepted: acceptance, handler: handler)
        case .events(let response):
            connection.send(HTTPResponse.endlessHead(status: response.status, headers: response.headers), on)
            webSocket = WebSocketConnection(connection, eventsFor: handler)
        }
        connection.handler = webSocket
        connection.flags.isAwaited = false
        if let lease = admissionLease { connection.lease = lease.settled() }
        // The memory of the request can be released.
        on.shard.noteEnding(on)
        webSocket.begin(remainder, on)
    }
}
