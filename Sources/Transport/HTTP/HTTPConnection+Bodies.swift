import WireProtocol

/// The limits of bodies in memory and in time.
extension HTTPConnection {
    /// Counts the bytes of a body, or of a stream's line, that have arrived.
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

    /// Counts the answers that the peer has not taken, at each that comes while it takes none. Without room, the peer
    /// that has taken nothing for the longest time is cut off.
    func holdAnswers(_ on: borrowing OnShard) {
        guard connection.backlog > BodyRoom.uncountedBytes else { return }
        let (shard, id) = (on.shard, connection.id)
        let share =
            answerShare
            ?? endpoint.answers.share(of: owner) { shard.post { on in shard.connection(id, on)?.close(on) } }
        answerShare = share
        // Posted, because a close must not happen in the middle of sending.
        if !share.grow(to: connection.backlog, at: on.now) { shard.post { on in shard.connection(id, on)?.close(on) } }
    }

    /// Ends a body that had to give way.
    func bodyDisplaced(_ on: borrowing OnShard) {
        switch state {
        case .collecting: refuse(.noRoomForBody, on)
        case .streaming(_, let handler, bodyEnded: false):
            // The answer has begun: the client only sees it break off.
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
    /// The same code for a sender of a body as for a publisher while too much is under way.
    fileprivate static let noRoomForBody = Problem(
        status: 503, code: "overloaded", detail: "too many request bodies are being received", retryAfter: 1)
}
