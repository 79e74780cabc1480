import WireProtocol

/// Pipelined requests: which of them are under way together, and what waits for the answers before it.
extension HTTPConnection {
    /// What is next, once all answers before it are given.
    enum Held {
        case request(HTTPRequestHead, HTTPDisposition, from: Peer)
        case refusal(Problem)
        case end
    }

    /// So many requests are under way at most; further ones wait unread. Each takes memory until it is answered.
    static let maximumAnswers = 256

    /// Whether another request may begin beside those that are under way.
    var mayBegin: Bool {
        answers.isEmpty || answers.count < Self.maximumAnswers && !answers.endsConnection && !isLeaving
    }

    /// Begins a request, or has it wait where those before it have to be answered first.
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
        // What asks for a body would be taken for an answer to an earlier request.
        case .answer, .collectOverlapping: !head.expectsContinue
        // Room may be there when the earlier ones are answered.
        case .busy: false
        case .collect, .stream, .upgrade: false
        }
    }

    func hold(_ held: Held) {
        state = .held(held)
        connection.removeDeadline()
    }

    /// The request's body is there, and its answer is still to come.
    func awaitAnswer(to head: HTTPRequestHead, overlaps: Bool) {
        connection.removeDeadline()
        // Alone, as most are, it needs no queue.
        if answers.isEmpty, !overlaps || parser.isBetweenRequests {
            state = .answering(head, overlaps: overlaps)
        } else {
            goOnBeside(head)
        }
    }

    /// The next request has come before the answer to this one: from now on both may be under way.
    func goOnBeside(_ head: HTTPRequestHead) {
        // From here on it counts for whoever was called with it.
        bodyShare = nil
        answers.expect(head, serial: serial)
        state = .idle
    }

    /// An answer for one of several requests that are under way.
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

    /// Goes on with what has waited for the answers before it.
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
