import WireProtocol

/// Pipelined requests: which may be under way together, and which wait for earlier answers.
extension HTTPConnection {
    /// The next step, once all earlier answers are given.
    enum Held {
        case request(HTTPRequestHead, HTTPDisposition, from: Peer)
        case refusal(Problem)
        case end
    }

    /// The most requests under way; further ones wait unread. Each takes memory until it is answered.
    static let maximumAnswers = 256

    /// Whether another request may begin beside those under way.
    var mayBegin: Bool {
        answers.isEmpty || answers.count < Self.maximumAnswers && !answers.endsConnection && !isLeaving
    }

    /// Begins a request, or lets it wait if earlier ones must be answered first.
    func enterInTurn(
        _ head: HTTPRequestHead, _ disposition: HTTPDisposition, from sender: Peer, _ on: borrowing OnShard
    ) {
        guard answers.isEmpty || Self.mayOverlap(head, disposition) else {
            return hold(.request(head, disposition, from: sender))
        }
        enter(head, disposition, on)
    }

    private static func mayOverlap(_ head: HTTPRequestHead, _ disposition: HTTPDisposition) -> Bool {
        switch disposition {
        // A "100 Continue" would be taken for the answer to an earlier request.
        // An answer that does not wait for a stream's end is the connection's last.
        case .answer: !head.expectsContinue && head.bodyBytes != nil
        case .collectOverlapping: !head.expectsContinue
        // There may be room once the earlier requests are answered.
        case .busy: false
        case .collect, .stream, .upgrade, .events: false
        }
    }

    func hold(_ held: Held) {
        state = .held(held)
        connection.removeDeadline()
    }

    /// The request's body is complete, and its answer is still to come.
    func awaitAnswer(to head: HTTPRequestHead, overlaps: Bool) {
        connection.removeDeadline()
        // A single request, the usual case, needs no queue.
        if answers.isEmpty, !overlaps || parser.isBetweenRequests {
            state = .answering(head, overlaps: overlaps)
        } else {
            goOnBeside(head)
        }
    }

    /// Lets the next request begin, which came before the answer to this one.
    func goOnBeside(_ head: HTTPRequestHead) {
        // From here on the body's memory counts for the service that was called with it.
        bodyShare = nil
        answers.expect(head, serial: serial)
        state = .idle
    }

    /// Takes the answer of one of several requests under way.
    func settle(_ response: HTTPResponse, serial: UInt64, _ on: borrowing OnShard) {
        guard answers.settle(response, serial: serial) else { return }
        while let (head, response) = answers.next() {
            let isKeepAlive = head.isKeepAlive && !(answers.isEmpty && endsAfterAnswers)
            send(response, to: head, isKeepAlive: isKeepAlive, on)
            guard isKeepAlive else { return finish(on) }
        }
        goOnBehindAnswers(on)
    }

    private var endsAfterAnswers: Bool {
        switch state {
        case .held(.end): true
        case .idle: isLeaving || peerHasFinished && parser.isBetweenRequests
        case .held, .readingHead, .collecting, .skipping, .answering, .streaming, .upgrading, .ending, .closed: false
        }
    }

    private func goOnBehindAnswers(_ on: borrowing OnShard) {
        switch state {
        case .held: if answers.isEmpty, !isBlocked { release(on) }
        case .idle where answers.isEmpty: goOn(true, on)
        case .idle:
            connection.setReading(!isBlocked, on)
            parse(on)
        case .readingHead, .collecting, .skipping, .answering, .streaming, .upgrading, .ending, .closed: break
        }
    }

    /// Continues with the step that waited for earlier answers.
    func release(_ on: borrowing OnShard) {
        guard case .held(let held) = state, answers.isEmpty else { return }
        state = .idle
        switch held {
        case .refusal(let problem): return refuse(problem, on)
        case .end: return finish(on)
        case .request(let head, .busy, let sender):
            enterInTurn(head, disposition(of: head, from: sender, on), from: sender, on)
        case .request(let head, let disposition, _): enter(head, disposition, on)
        }
        connection.setReading(true, on)
        parse(on)
    }
}
