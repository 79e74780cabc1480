import WireProtocol

/// What bodies may take, of memory and of time.
extension HTTPConnection {
    /// Counts so many bytes of a body, or of a stream's line, that have arrived.
    ///
    /// - Returns: false if the body had to give way.
    func holdBody(_ bytes: Int, _ on: borrowing OnShard) -> Bool {
        guard bytes > BodyRoom.uncountedBytes else {
            bodyShare = nil
            return true
        }
        if bodyShare == nil {
            let reply = HTTPReply(shard: on.shard, connection: connection.id, serial: serial)
            bodyShare = endpoint.bodies.share(of: owner) {
                reply.post { on in reply.withConnection(on) { $0.bodyDisplaced(on) } }
            }
        }
        return bodyShare?.grow(to: bytes, at: on.now) ?? true
    }

    private var owner: BodyShares.Owner { .init(userID: sender.userID, address: sender.address?.client) }

    /// Counts what the peer does not take of its answers; where there is no room, whoever has taken nothing for longest
    /// is cut off.
    func holdAnswers(_ on: borrowing OnShard) {
        guard connection.backlog > BodyRoom.uncountedBytes else { return }
        let (shard, id) = (on.shard, connection.id)
        let share = endpoint.answers.share(of: owner) {
            shard.post { on in shard.connection(id, on)?.close(on) }
        }
        answerShare = share
        // Not in the middle of sending.
        if !share.grow(to: connection.backlog, at: on.now) { shard.post { on in shard.connection(id, on)?.close(on) } }
    }

    /// There is no room for what has arrived so far.
    func bodyDisplaced(_ on: borrowing OnShard) {
        switch state {
        case .collecting: refuse(.noRoomForBody, on)
        case .streaming(_, let handler, bodyEnded: false):
            // Its answer has begun: that it breaks off has to do.
            finish(on)
            handler.cancelled(on)
        case .idle, .readingHead, .skipping, .answering, .held, .streaming, .upgrading, .ending, .closed: break
        }
    }

    func beginBodyTime(_ on: borrowing OnShard) {
        var patience = BodyPatience(total: limits.bodyTimeout, stall: limits.bodyStallTimeout)
        connection.setDeadline(on.now + patience.begin(), on)
        bodyPatience = patience
    }

    func bodyDeadlineReached(_ on: borrowing OnShard) {
        guard let span = bodyPatience?.look(receivedBytes: bodyBytes) else { return refuse(.timeout, on) }
        connection.setDeadline(on.now + span, on)
    }
}

extension Problem {
    /// The same for whoever sends a body as for whoever publishes while too much is under way.
    fileprivate static let noRoomForBody = Problem(
        status: 503, code: "overloaded", detail: "too many request bodies are being received", retryAfter: 1)
}
