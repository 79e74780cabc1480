import Glibc

extension Connection {
    /// Sets or removes the only deadline of this connection; ``ConnectionHandler/deadlineReached(_:)`` is called at it.
    package func setDeadline(_ deadline: ContinuousClock.Instant?, _ on: borrowing OnShard) {
        if let deadline { setDeadline(deadline, on) } else { removeDeadline() }
    }

    package func setDeadline(_ deadline: ContinuousClock.Instant, _ on: borrowing OnShard) {
        guard state != .closed else { return }
        setDeadline(atTick: on.shard.tick(after: deadline), on)
    }

    package func removeDeadline() { deadline = Self.never }

    /// Sets a deadline for the end of the connection, unless an earlier one is set.
    func limitDeadline(to timeout: Duration, _ on: borrowing OnShard) {
        setDeadline(atTick: min(deadline, on.shard.tick(after: on.now + timeout)), on)
    }

    private func setDeadline(atTick tick: Int64, _ on: borrowing OnShard) {
        deadline = tick
        // During a handshake the timer belongs to the handshake.
        if case .handshaking = stream { return }
        if tick != Self.never { setTimer(atTick: tick, on) }
    }

    /// Leaves the timer where it is for a later deadline or none: when it fires, it checks the deadline. New deadlines
    /// are more frequent than that.
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
        // Another timer of this turn may have set a new timer for this connection after this one was found due.
        if let timer, on.shard.tick(of: timer, on) != nil { return }
        timer = nil
        if case .handshaking = stream { return fail(ETIMEDOUT, on) }
        guard deadline != Self.never else { return }
        guard deadline <= tick else { return setTimer(atTick: deadline, on) }
        deadline = Self.never
        if state == .open { handler?.deadlineReached(on) } else { close(on) }
    }
}
