import Glibc

/// The TLS handshake: a phase of its own. Connections take turns for its steps.
extension Connection {
    /// Waits until the peer begins, or until a client's socket is connected.
    func beginWaiting(for handshake: TLSHandshake, _ on: borrowing OnShard) {
        setTimer(atTick: on.shard.tick(after: on.now + handshake.timeout), on)
    }

    func queue(_ handshake: TLSHandshake, _ on: borrowing OnShard) {
        guard !handshake.isQueued else { return }
        handshake.isQueued = true
        guard on.shard.handshakes.queue(self, hasBegun: handshake.hasBegun, on) else { return }
        handshake.isUnwatched = true
        updateInterest(on)
    }

    /// - Returns: whether there was a step to do.
    func takeHandshakeStep(_ on: borrowing OnShard) -> Bool {
        guard state != .closed, case .handshaking(let handshake) = stream else { return false }
        handshake.isQueued = false
        handshake.isUnwatched = false
        switch handshake.step(id.descriptor) {
        case .goesOn: updateInterest(isDrained: true, on)
        case .done(let session): finish(handshake, session, on)
        case .failed(let failure): fail(handshake, failure, on)
        }
        return true
    }

    private func finish(_ handshake: TLSHandshake, _ session: TLSSession, _ on: borrowing OnShard) {
        handshake.count(isComplete: true)
        on.shard.noteEnding(on)
        stream = .tls(session)
        cancelTimer(on)
        if deadline != Self.never {
            deadline += on.shard.tick(after: on.now) - handshake.startTick
            setTimer(atTick: deadline, on)
        }
        updateInterest(isDrained: true, on)
        if !outgoing.isEmpty || session.holdsOutput || state == .finishing { flushLater(on) }
        // The peer's first bytes may have come together with the end of its handshake.
        if state == .open, !flags.isPaused { read(untilEmpty: true, on) }
    }

    private func fail(_ handshake: TLSHandshake, _ failure: TLSFailure, _ on: borrowing OnShard) {
        handshake.count(isComplete: false)
        stream = .failed(failure)
        guard handshake.isServer, failure.errno == nil else { return fail(failure, on) }
        // libssl has sent an alert. Closing now, with unread bytes, could take it back.
        outgoing = OutgoingQueue()
        linger(on)
    }
}
