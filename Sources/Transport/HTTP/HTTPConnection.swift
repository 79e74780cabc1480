import WireProtocol

/// The server's end of an HTTP/1.1 connection: requests in order, until it closes or becomes a WebSocket.
///
/// A pipelined request waits in the parser until the one before is answered, unless the service lets both be under way
/// (``HTTPDisposition/collectOverlapping(_:)``). Answers always leave in the order of the requests.
package final class HTTPConnection: ConnectionHandler {
    enum State {
        case idle
        case readingHead
        case collecting(
            HTTPRequestHead, body: [UInt8], overlaps: Bool, then: (HTTPRequest, HTTPReply, borrowing OnShard) -> Void)
        case skipping(HTTPRequestHead, then: HTTPResponse)
        case answering(HTTPRequestHead, overlaps: Bool)
        /// Waits for earlier answers.
        case held(Held)
        case streaming(HTTPRequestHead, any HTTPStreamHandler, bodyEnded: Bool)
        case upgrading(Upgrade, any WebSocketHandler)
        /// The last answer is on its way to a slow client.
        case ending
        case closed
    }

    /// The most unsent answer bytes before output is flushed between pipelined requests. Thousands of requests may come
    /// in one read; without a flush all would be answered before the peer shows that it takes nothing.
    private static let maximumUnsentBytes = 256 << 10

    /// A reference cycle with the connection, which lets go of its handler when it closes.
    let connection: Connection
    let endpoint: HTTPEndpoint
    private let peer: Peer
    /// The sender of the request: the peer, or the client of a proxy.
    private(set) var sender: Peer
    /// The peer is a proxy that tells the client of each request.
    private let isBehindProxy: Bool
    /// Why the connection is refused; becomes the answer to its first request.
    private(set) var refusal: AdmissionRefusal?
    var parser: HTTPRequestParser
    var state = State.idle
    /// The requests that are under way together; empty while there is at most one.
    var answers = HTTPAnswerQueue()
    private(set) var serial: UInt64 = 0
    /// The peer sends nothing more: the connection closes after the pending answers.
    var peerHasFinished = false
    /// The shard will end soon: this request is the last one.
    var isLeaving = false
    var isStreamReading = true
    private var isParsing = false
    /// The peer does not take its answers.
    var isBlocked = false
    /// The confirmed bytes at the last measurement of the peer's time.
    var lastConfirmedBytes = 0
    /// The sender of a request waits for a "100 Continue" before the body.
    private var owesContinue = false
    /// The time limit of the body has not begun, because most bodies come with their heads.
    private var owesBodyDeadline = false
    /// The number of bytes of the request's body that have arrived.
    private(set) var bodyBytes = 0
    var bodyPatience: BodyPatience?
    /// The share of a long body, until the request is answered.
    var bodyShare: BodyShare?
    /// The share of answers that the peer does not take.
    var answerShare: BodyShare?

    var limits: HTTPLimits { endpoint.limits }

    init(_ connection: Connection, endpoint: HTTPEndpoint, terms: Terms) {
        self.connection = connection
        self.endpoint = endpoint
        (peer, sender, isBehindProxy, refusal) = (terms.peer, terms.peer, terms.isBehindProxy, terms.refusal)
        let limits = endpoint.limits
        parser = HTTPRequestParser(maximumHeadBytes: limits.headBytes, maximumBodyBytes: limits.bodyBytes)
        connection.flags.isAwaited = true
    }

    // MARK: Input

    package func received(_ bytes: UnsafeMutableRawBufferPointer, _ on: borrowing OnShard) {
        switch state {
        case .ending, .closed: return
        case .answering(_, overlaps: false), .held:
            // The next request has come before this one's answer: it waits in the parser, and the rest in the socket.
            parser.append(UnsafeRawBufferPointer(bytes))
            connection.setReading(false, on)
        case .answering(let head, overlaps: true):
            goOnBeside(head)
            parser.append(UnsafeRawBufferPointer(bytes))
            parse(on)
        case .idle where !mayBegin:
            parser.append(UnsafeRawBufferPointer(bytes))
            connection.setReading(false, on)
        case .idle, .readingHead, .collecting, .skipping, .streaming, .upgrading:
            parser.append(UnsafeRawBufferPointer(bytes))
            parse(on)
        }
    }

    func parse(_ on: borrowing OnShard) {
        // An answer that is given at once comes back here, and the loop below goes on with the next request. If each
        // call began a loop of its own, a few thousand pipelined requests would overflow the stack.
        guard !isParsing else { return }
        isParsing = true
        defer { isParsing = false }
        while true {
            if case .idle = state, !isBlocked, connection.backlog > Self.maximumUnsentBytes { connection.flush(on) }
            switch state {
            case .answering, .held, .ending, .closed: return
            case .streaming where !isStreamReading: return
            case .idle where !mayBegin, .idle where isBlocked, .readingHead where isBlocked: return
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
        if owesBodyDeadline {
            owesBodyDeadline = false
            beginBodyTime(on)
        }
        switch state {
        case .idle where peerHasFinished, .readingHead where peerHasFinished, .collecting where peerHasFinished,
            .skipping where peerHasFinished:
            endInTurn(on)
        case .idle where !parser.isBetweenRequests:
            state = .readingHead
            // A refused client's time began with its connection.
            if refusal == nil { connection.setDeadline(on.now + limits.headTimeout, on) }
        case .collecting where owesContinue:
            owesContinue = false
            connection.send(HTTPResponse.goOn, on)
        case .idle, .readingHead, .collecting, .skipping, .answering, .held, .streaming, .upgrading, .ending, .closed:
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

    /// The sender of the request; also judges whether that client may have this connection.
    private func sender(of head: HTTPRequestHead) -> Peer {
        guard isBehindProxy else { return peer }
        let client = endpoint.proxies.client(forwardedIn: head.headers)
        // One connection of a proxy carries many clients' requests; it counts for the client of the last request.
        // Requests of the proxy itself, such as health checks, count for nobody.
        let counted = client.flatMap { endpoint.proxies.trusts($0) ? nil : $0 }
        if refusal == nil { refusal = admissionLease?.identify(as: counted) }
        return client.map(peer.at) ?? peer
    }

    /// The connection's place among the admitted ones; nil without admission, or if it was refused.
    var admissionLease: AdmissionLease? {
        if case .held(let lease) = connection.lease { lease as? AdmissionLease } else { nil }
    }

    private func begin(_ head: HTTPRequestHead, _ on: borrowing OnShard) {
        serial += 1
        bodyBytes = 0
        sender = sender(of: head)
        if let refusal {
            let problem = refusal.problem(jitter: .random(in: 0..<1))
            guard answers.isEmpty else { return hold(.refusal(problem)) }
            return answer(head, problem.response, isKeepAlive: false, on)
        }
        enterInTurn(head, disposition(of: head, from: sender, on), from: sender, on)
    }

    func disposition(of head: HTTPRequestHead, from sender: Peer, _ on: borrowing OnShard) -> HTTPDisposition {
        if endpoint.service.takesCodedBodies { return endpoint.service.receive(head, from: sender, on) }
        guard head.contentCoding != .unknown else { return .answer(HTTPViolation.unknownCoding.response) }
        let disposition = endpoint.service.receive(head, from: sender, on)
        if case .stream = disposition, head.contentCoding != .identity {
            return .answer(HTTPViolation.encodedStream.response)
        }
        return disposition
    }

    func enter(_ head: HTTPRequestHead, _ disposition: HTTPDisposition, _ on: borrowing OnShard) {
        switch disposition {
        case .answer(let response) where head.expectsContinue, .busy(let response) where head.expectsContinue:
            // A sender that is answered before the body may send it or not: the start of a next request is unknown.
            answer(head, response, isKeepAlive: false, on)
        case .answer(let response) where head.bodyBytes == nil && response.status >= 400:
            // Such a body may be a stream that ends in an hour.
            answer(head, response, isKeepAlive: false, on)
        case .answer(let response), .busy(let response):
            owesBodyDeadline = head.hasBody
            state = .skipping(head, then: response)
        case .collect(let body): collect(head, overlaps: false, then: body)
        case .collectOverlapping(let body): collect(head, overlaps: true, then: body)
        case .stream where head.minorVersion == 0:
            refuse(.needsChunks, on)
        case .stream(let handler):
            beginStream(head, handler, on)
        case .upgrade where head.hasBody, .events where head.hasBody:
            refuse(.upgradeWithBody, on)
        case .upgrade(let acceptance, let handler):
            state = .upgrading(.webSocket(acceptance), handler)
        case .events(let response, let handler):
            state = .upgrading(.events(endpoint.crossOrigin?.share(response, with: head) ?? response), handler)
        }
    }

    private func collect(
        _ head: HTTPRequestHead, overlaps: Bool,
        then body: @escaping (HTTPRequest, HTTPReply, borrowing OnShard) -> Void
    ) {
        // Sent when the parser wants more: a length beyond the limit is refused instead.
        owesContinue = head.expectsContinue
        owesBodyDeadline = head.hasBody
        state = .collecting(head, body: [], overlaps: overlaps, then: body)
    }

    private func take(_ bytes: [UInt8], _ on: borrowing OnShard) {
        bodyBytes += bytes.count
        switch state {
        case .collecting(let head, var body, let overlaps, let then):
            // Taken out of the state first, so that appending does not copy.
            state = .closed
            if body.isEmpty { body = bytes } else { body.append(contentsOf: bytes) }
            let byteCount = body.count
            state = .collecting(head, body: body, overlaps: overlaps, then: then)
            if !holdBody(byteCount, on) { bodyDisplaced(on) }
        case .streaming(_, let handler, _):
            handler.received(bytes, on)
        case .skipping, .upgrading, .idle, .readingHead, .answering, .held, .ending, .closed:
            break
        }
    }

    private func end(_ on: borrowing OnShard) {
        owesBodyDeadline = false
        switch state {
        case .collecting(let head, let body, let overlaps, let then):
            bodyShare?.complete()
            awaitAnswer(to: head, overlaps: overlaps)
            let reply = HTTPReply(shard: on.shard, connection: connection.id, serial: serial)
            do throws(HTTPViolation) {
                let coding = endpoint.service.takesCodedBodies ? .identity : head.contentCoding
                let whole = try coding.decode(body, maximumBytes: parser.maximumBodyBytes)
                then(HTTPRequest(head: head, body: whole), reply, on)
            } catch {
                reply.send(error.response, on)
            }
        case .skipping(let head, let response):
            answer(head, response, isKeepAlive: head.isKeepAlive, on)
        case .streaming(let head, let handler, _):
            state = .streaming(head, handler, bodyEnded: true)
            handler.bodyEnded(on)
        case .upgrading(let upgrade, let handler):
            self.upgrade(upgrade, handler, on)
        case .idle, .readingHead, .answering, .held, .ending, .closed:
            break
        }
    }
}
