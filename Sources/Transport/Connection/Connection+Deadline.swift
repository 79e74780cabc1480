import Glibc

extension Connection {
    /// Sets the one deadline of this connection, or none; ``ConnectionHandler/deadlineReached(_:)`` tells when it
    /// comes.
    package func setDeadline(_ deadline: ContinuousClock.Instant?, _ on: borrowing OnShard) {
        if let deadline { setDeadline(deadline, on) } else { removeDeadline() }
    }

    package func setDeadline(_ deadline: ContinuousClock.Instant, _ on: borrowing OnShard) {
        guard state != .closed else { return }
        setDeadline(atTick: on.shard.tick(after: deadline), on)
    }

    package func removeDeadline() { deadline = Self.never }

    /// Sets a deadline for the end of the connection, unless there is one before that.
    func limitDeadline(to timeout: Duration, _ on: borrowing OnShard) {
        setDeadline(atTick: min(deadline, on.shard.tick(after: on.now + timeout)), on)
    }

    private func setDeadline(atTick tick: Int64, _ on: borrowing OnShard) {
        deadline = tick
        // Until the end of a handshake the timer is the handshake's.
        if case .handshaking = stream { return }
        if tick != Self.never { setTimer(atTick: tick, on) }
    }

    /// A later deadline, or none, leaves the timer where it is: it looks again when it fires, which is rarer than new
    /// deadlines.
    func setTimer(atTick tick: Int64, _ on: borrowing OnShard) {
        if let timer, let planned = on.shard.tick(of: timer, on), planned <= tick { return }
        cancelTimer(on)
        timer = on.shard.schedule(.connection(self), atTick: tick, on)
    }

    func cancelTimer(_ on: borrowing OnShard) {
        if let timer { on.shard.cancel(timer, on) }
        timer = nil
    }

    func timerFired(atTick tick: Int64, _ on: borrowing OnShard) {
        // Another timer's owner may have set this connection a new one after this one was found to be due.
        if let timer, on.shard.tick(of: timer, on) != nil { return }
        timer = nil
        if case .handshaking = stream { return fail(ETIMEDOUT, on) }
        guard deadline != Self.never else { return }
        guard deadline <= tick else { return setTimer(atTick: deadline, on) }
        deadline = Self.never
        if state == .open { handler?.deadlineReached(on) } else { close(on) }
    }
}
