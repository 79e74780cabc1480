import CLinux
import Glibc
import WireProtocol

/// The server's end of an HTTP/1.1 connection: one request at a time, in order, until it closes or becomes a WebSocket.
///
/// A pipelined request waits in the parser until the one before is answered.
package final class HTTPConnection: ConnectionHandler {
    private enum State {
        case idle
        case readingHead
        case collecting(HTTPRequestHead, body: [UInt8], then: (HTTPRequest, HTTPReply, borrowing OnShard) -> Void)
        case skipping(HTTPRequestHead, then: HTTPResponse)
        case answering(HTTPRequestHead)
        case streaming(HTTPRequestHead, any HTTPStreamHandler, bodyEnded: Bool)
        case upgrading(WebSocketHandshake.Acceptance, any WebSocketHandler)
        case closed
    }

    /// So many bytes of answers go out before the next pipelined request is looked at: thousands of them may have come in
    /// one read, and would else all be answered before it shows that the peer takes nothing.
    private static let maximumUnsentBytes = 256 << 10

    /// Held both ways until the connection closes, which lets go of its handler.
    private let connection: Connection
    private let service: any HTTPService
    private let peer: Peer
    private let limits: HTTPLimits
    private var parser: HTTPRequestParser
    private var state = State.idle
    private var serial: UInt64 = 0
    /// The peer has said all: after the answers that it waits for, close.
    private var peerHasFinished = false
    /// The shard will end soon: this request is the last one.
    private var isLeaving = false
    private var isStreamReading = true
    private var isParsing = false
    /// The peer does not take its answers.
    private var isBlocked = false
    /// A request's sender waits to hear that its body is wanted.
    private var owesContinue = false

    /// Serves an accepted socket, which it owns from now on.
    package static func open(
        _ descriptor: Int32, service: any HTTPService, isLocal: Bool, limits: HTTPLimits, _ on: borrowing OnShard
    ) {
        let peer = Peer(userID: isLocal ? belfry_peer_credentials(descriptor).user : nil, isLocal: isLocal)
        // Without memory for one more socket the peer sees it closed, which is all that can be done.
        let connection = try? Connection(descriptor: descriptor, on: on) { connection in
            HTTPConnection(connection, service: service, peer: peer, limits: limits)
        }
        connection?.setDeadline(on.now + limits.headTimeout, on)
    }

    private init(_ connection: Connection, service: any HTTPService, peer: Peer, limits: HTTPLimits) {
        self.connection = connection
        self.service = service
        self.peer = peer
        self.limits = limits
        parser = HTTPRequestParser(maximumHeadBytes: limits.headBytes, maximumBodyBytes: limits.bodyBytes)
    }

    var refusedBytes: Int { connection.refusedBytes }

    // MARK: Input

    package func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        parser.append(UnsafeRawBufferPointer(bytes))
        switch state {
        case .answering:
            // The next request has come before this one's answer: it waits in the parser, and the peer in its socket.
            connection.setReading(false, on)
        case .idle, .readingHead, .collecting, .skipping, .streaming, .upgrading, .closed:
            parse(on)
        }
    }

    private func parse(_ on: borrowing OnShard) {
        // An answer given at once comes back here. The loop below then goes on with the next request: were it begun anew
        // each time, a few thousand pipelined requests would overflow the stack.
        guard !isParsing else { return }
        isParsing = true
        defer { isParsing = false }
        while true {
            if case .idle = state, !isBlocked, connection.backlog > Self.maximumUnsentBytes { connection.flush(on) }
            switch state {
            case .answering, .closed: return
            case .streaming where !isStreamReading: return
            case .idle where isBlocked, .readingHead where isBlocked: return
            case .idle, .readingHead, .collecting, .skipping, .streaming, .upgrading: break
            }
            do {
                guard let event = try parser.next() else { return waitForMore(on) }
                take(event, on)
            } catch {
                return refuse(error, on)
            }
        }
    }

    private func waitForMore(_ on: borrowing OnShard) {
        switch state {
        case .idle where !parser.isBetweenRequests:
            state = .readingHead
            connection.setDeadline(on.now + limits.headTimeout, on)
        case .collecting where owesContinue:
            owesContinue = false
            connection.send(HTTPResponse.goOn, on)
        case .idle, .readingHead, .collecting, .skipping, .answering, .streaming, .upgrading, .closed:
            break
        }
    }

    private func take(_ event: HTTPRequestEvent, _ on: borrowing OnShard) {
        switch event {
        case .head(let head): begin(head, on)
        case .body(let bytes): take(bytes, on)
        case .end: end(on)
        }
    }

    private func begin(_ head: HTTPRequestHead, _ on: borrowing OnShard) {
        serial += 1
        let disposition = service.receive(head, from: peer, on)
        connection.setDeadline(on.now + limits.bodyTimeout, on)
        switch disposition {
        case .answer(let response) where head.expectsContinue:
            // Answered before the body, its sender may send it or not: no way to tell where a next request would begin.
            answer(head, response, isKeepAlive: false, on)
        case .answer(let response):
            state = .skipping(head, then: response)
        case .collect(let body):
            // Said when the parser wants more: a length beyond the limit is refused instead.
            owesContinue = head.expectsContinue
            state = .collecting(head, body: [], then: body)
        case .stream where head.minorVersion == 0:
            refuse(HTTPViolation(status: 505, reason: "a streamed answer needs HTTP/1.1"), on)
        case .stream(let handler):
            beginStream(head, handler, on)
        case .upgrade(let acceptance, let handler):
            state = .upgrading(acceptance, handler)
        }
    }

    private func beginStream(_ head: HTTPRequestHead, _ handler: any HTTPStreamHandler, _ on: borrowing OnShard) {
        parser.maximumBodyBytes = .max
        connection.setDeadline(nil, on)
        state = .streaming(head, handler, bodyEnded: false)
        if head.expectsContinue { connection.send(HTTPResponse.goOn, on) }
        let reference = HTTPStreamReference(shard: connection.shard, connection: connection.id, serial: serial)
        handler.opened(HTTPStream(self, reference: reference), on)
    }

    private func take(_ bytes: [UInt8], _ on: borrowing OnShard) {
        switch state {
        case .collecting(let head, var body, let then):
            // Taken out first, so that appending does not copy.
            state = .closed
            body.append(contentsOf: bytes)
            state = .collecting(head, body: body, then: then)
        case .streaming(_, let handler, _):
            handler.received(bytes, on)
        case .skipping, .upgrading, .idle, .readingHead, .answering, .closed:
            break
        }
    }

    private func end(_ on: borrowing OnShard) {
        switch state {
        case .collecting(let head, let body, let then):
            state = .answering(head)
            connection.setDeadline(nil, on)
            let reply = HTTPReply(shard: connection.shard, connection: connection.id, serial: serial)
            then(HTTPRequest(head: head, body: body), reply, on)
        case .skipping(let head, let response):
            answer(head, response, isKeepAlive: head.isKeepAlive, on)
        case .streaming(let head, let handler, _):
            state = .streaming(head, handler, bodyEnded: true)
            handler.bodyEnded(on)
        case .upgrading(let acceptance, let handler):
            upgrade(acceptance, handler, on)
        case .idle, .readingHead, .answering, .closed:
            break
        }
    }

    // MARK: Output

    func reply(_ response: HTTPResponse, serial: UInt64, _ on: borrowing OnShard) {
        guard case .answering(let head) = state, serial == self.serial else { return }
        answer(head, response, isKeepAlive: head.isKeepAlive && !peerHasFinished, on)
    }

    private func answer(
        _ head: HTTPRequestHead, _ response: HTTPResponse, isKeepAlive: Bool, _ on: borrowing OnShard
    ) {
        var response = response
        // An origin server with a clock tells its time (RFC 9110 §6.6.1).
        response.headers.add("Date", HTTPDate.text(Int64(time(nil))))
        connection.send(response.encoded(isKeepAlive: isKeepAlive, omitsBody: head.method == "HEAD"), on)
        goOn(isKeepAlive, on)
    }

    private func goOn(_ isKeepAlive: Bool, _ on: borrowing OnShard) {
        guard isKeepAlive, !isLeaving else { return finish(on) }
        parser.maximumBodyBytes = limits.bodyBytes
        state = .idle
        connection.setDeadline(on.now + limits.idleTimeout, on)
        connection.setReading(!isBlocked, on)
        parse(on)
    }

    /// The rest of the connection's bytes has no meaning after this: answer and close.
    private func refuse(_ violation: HTTPViolation, _ on: borrowing OnShard) {
        if case .streaming(_, let handler, _) = state {
            // Its answer has begun, and another inside it would be taken for a part: that it breaks off has to do.
            finish(on)
            return handler.cancelled(on)
        }
        let problem = Problem(status: violation.status, code: "bad_request", detail: violation.reason)
        connection.send(problem.response.encoded(isKeepAlive: false), on)
        finish(on)
    }

    private func finish(_ on: borrowing OnShard) {
        state = .closed
        connection.finish(on)
    }

    private func upgrade(
        _ acceptance: WebSocketHandshake.Acceptance, _ handler: any WebSocketHandler, _ on: borrowing OnShard
    ) {
        state = .closed
        connection.setDeadline(nil, on)
        connection.send(acceptance.response, on)
        let remainder = parser.takeRemainder()
        let webSocket = WebSocketConnection(connection, accepted: acceptance, handler: handler)
        connection.handler = webSocket
        webSocket.begin(remainder, on)
    }

    // MARK: Streams

    func startStream(_ status: Int, _ headers: HTTPHeaders, serial: UInt64, _ on: borrowing OnShard) {
        guard case .streaming(let head, _, _) = state, serial == self.serial else { return }
        connection.send(
            HTTPResponse.chunkedHead(status: status, headers: headers, isKeepAlive: head.isKeepAlive), on)
    }

    func write(_ bytes: [UInt8], serial: UInt64, _ on: borrowing OnShard) {
        if streamHandler(serial: serial) != nil { connection.send(bytes, on) }
    }

    func streamHandler(serial: UInt64) -> (any HTTPStreamHandler)? {
        guard case .streaming(_, let handler, _) = state, serial == self.serial else { return nil }
        return handler
    }

    func setStreamReading(_ isReading: Bool, _ on: borrowing OnShard) {
        guard isReading != isStreamReading, case .streaming = state else { return }
        isStreamReading = isReading
        connection.setReading(isReading && !peerHasFinished, on)
        if isReading { parse(on) }
    }

    func streamEnded(serial: UInt64, _ on: borrowing OnShard) {
        guard case .streaming(let head, _, let bodyEnded) = state, serial == self.serial else { return }
        isStreamReading = true
        state = .answering(head)
        // An answer that ends before its request leaves no place to go on from.
        goOn(head.isKeepAlive && bodyEnded && !peerHasFinished, on)
    }

    // MARK: Ends

    package func peerFinished(_ on: borrowing OnShard) {
        peerHasFinished = true
        switch state {
        // Answers to earlier requests may still be on their way.
        case .idle, .readingHead, .collecting, .skipping, .upgrading: finish(on)
        case .streaming(_, _, bodyEnded: false): connection.close(on)
        case .streaming, .answering, .closed: break
        }
    }

    package func shardLeaves(_ on: borrowing OnShard) {
        isLeaving = true
        if case .idle = state, parser.isBetweenRequests { finish(on) }
    }

    package func deadlineReached(_ on: borrowing OnShard) {
        switch state {
        case .readingHead where isBlocked:
            connection.close(on)
        case .readingHead, .collecting, .skipping:
            refuse(HTTPViolation(status: 408, reason: "the request took too long to arrive"), on)
        case .idle, .upgrading, .answering, .streaming, .closed:
            connection.close(on)
        }
    }

    package func outputBlocked(_ on: borrowing OnShard) {
        isBlocked = true
        switch state {
        case .idle, .readingHead:
            // Who does not take answers gets none added: else requests alone could fill our memory.
            connection.setReading(false, on)
            connection.setDeadline(on.now + limits.idleTimeout, on)
        case .collecting, .skipping, .answering, .streaming, .upgrading, .closed: break
        }
    }

    package func outputDrained(_ on: borrowing OnShard) {
        isBlocked = false
        switch state {
        case .streaming(_, let handler, _): handler.drained(on)
        case .idle: resume(within: limits.idleTimeout, on)
        case .readingHead: resume(within: limits.headTimeout, on)
        case .collecting, .skipping, .answering, .upgrading, .closed: break
        }
    }

    private func resume(within timeout: Duration, _ on: borrowing OnShard) {
        connection.setDeadline(on.now + timeout, on)
        connection.setReading(true, on)
        parse(on)
    }

    package func closed(_ on: borrowing OnShard) {
        if case .streaming(_, let handler, _) = state { handler.cancelled(on) }
        state = .closed
    }
}
