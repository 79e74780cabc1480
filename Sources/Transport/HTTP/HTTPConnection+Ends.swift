import CLinux
import WireProtocol

extension HTTPConnection {
    package func peerFinished(_ on: borrowing OnShard) {
        peerHasFinished = true
        switch state {
        // Requests that have arrived are still to be read.
        case .idle where !parser.isBetweenRequests: break
        // Answers to earlier requests may still be on their way.
        case .idle, .readingHead, .collecting, .skipping: endInTurn(on)
        case .upgrading: finish(on)
        case .streaming(_, _, bodyEnded: false): connection.close(on)
        case .streaming, .answering, .held, .ending, .closed: break
        }
    }

    /// Closes behind the answers that are still to come. An incomplete request gets no answer.
    func endInTurn(_ on: borrowing OnShard) {
        if answers.isEmpty { finish(on) } else { hold(.end) }
    }

    package func shardLeaves(_ on: borrowing OnShard) {
        isLeaving = true
        if case .idle = state, answers.isEmpty, parser.isBetweenRequests { finish(on) }
    }

    package func closed(_ on: borrowing OnShard) {
        if case .streaming(_, let handler, _) = state { handler.cancelled(on) }
        (state, answers) = (.closed, HTTPAnswerQueue())
        (bodyShare, answerShare) = (nil, nil)
    }

    // MARK: Time

    package func deadlineReached(_ on: borrowing OnShard) {
        switch state {
        case .idle where isBlocked, .readingHead where isBlocked, .ending:
            // A large answer over a slow network may take longer: only a peer that takes nothing has gone.
            if confirmedBytes == lastConfirmedBytes {
                connection.close(on)
            } else {
                measureTime(limits.idleTimeout, on)
            }
        // Answers wait for the store, and the client's time does not count.
        case .idle where !answers.isEmpty: break
        case .idle, .readingHead:
            if let refusal { return refuse(refusal.problem(jitter: .random(in: 0..<1)), on) }
            if case .readingHead = state { refuse(.timeout, on) } else { connection.close(on) }
        case .collecting, .skipping:
            bodyDeadlineReached(on)
        case .upgrading, .answering, .held, .streaming, .closed:
            connection.close(on)
        }
    }

    /// Begins a time limit for the peer; its progress is judged at the end.
    func measureTime(_ timeout: Duration, _ on: borrowing OnShard) {
        lastConfirmedBytes = confirmedBytes
        connection.setDeadline(on.now + timeout, on)
    }

    /// The number of answer bytes that the peer has confirmed. The socket alone may hold megabytes, which take a slow
    /// peer minutes.
    var confirmedBytes: Int {
        connection.takenBytes - Int(belfry_unconfirmed_bytes(connection.id.descriptor))
    }

    // MARK: Output

    package func outputBlocked(_ on: borrowing OnShard) {
        isBlocked = true
        holdAnswers(on)
        switch state {
        case .idle, .readingHead:
            // A peer that does not take answers gets no further ones: otherwise requests alone could fill the memory.
            connection.setReading(false, on)
            measureTime(limits.idleTimeout, on)
        case .collecting, .skipping, .answering, .held, .streaming, .upgrading, .ending, .closed: break
        }
    }

    package func outputDrained(_ on: borrowing OnShard) {
        isBlocked = false
        answerShare = nil
        switch state {
        case .streaming(_, let handler, _): handler.drained(on)
        case .idle: resume(within: limits.idleTimeout, on)
        case .readingHead: resume(within: limits.headTimeout, on)
        case .ending: endNow(on)
        case .held: if answers.isEmpty { release(on) }
        case .collecting, .skipping, .answering, .upgrading, .closed: break
        }
    }

    private func resume(within timeout: Duration, _ on: borrowing OnShard) {
        connection.setDeadline(on.now + timeout, on)
        connection.setReading(true, on)
        parse(on)
    }
}
