extension Connection {
    /// How many bytes wait for the peer to take them.
    package var backlog: Int { outgoing.count }
    /// How many bytes wait because the peer does not take them; what this turn has queued so far is no sign of that.
    package var refusedBytes: Int { flags.isBlocked ? outgoing.count : 0 }

    /// Queues bytes; they leave at the end of this turn, together with whatever else is queued till then.
    package func send(_ bytes: [UInt8], _ on: borrowing OnShard) {
        guard state == .open else { return }
        withOutgoing { $0.append(bytes) }
        if !flags.isBlocked { flushLater(on) }
    }

    func flushLater(_ on: borrowing OnShard) {
        guard !flags.isUnflushed else { return }
        flags.isUnflushed = true
        noteClearness(on)
        on.shard.needsFlush(self, on)
    }

    /// Sends what is queued, as far as the socket takes it. What waits for a handshake goes on waiting.
    package func flush(_ on: borrowing OnShard) {
        flags.isUnflushed = false
        if state == .closed || state == .lingering { return }
        if case .handshaking = stream { return }
        // With nothing more to send, TLS may have something left.
        while !outgoing.isEmpty || stream.holdsOutput {
            switch writeNextRun(on) {
            case .moved(let count): takenBytes &+= count
            case .blocked: return block(on)
            case .ended: return close(on)
            case .failed(let errno): return fail(errno, on)
            case .failedTLS(let failure): return fail(failure, on)
            }
        }
        if state == .finishing { return linger(on) }
        noteClearness(on)
        unblock(on)
    }

    private func writeNextRun(_ on: borrowing OnShard) -> StreamOutcome {
        withOutgoing { queue in
            let outcome = queue.withNextRun(scratch: on.shard.sendBuffer) { stream.write(id.descriptor, $0) }
            if case .moved(let count) = outcome { queue.removeFirst(count) }
            return outcome
        }
    }

    /// - Parameter body: works on the queue apart from this connection, which is not being accessed meanwhile; it must
    ///   not come back here.
    @inline(__always)
    private func withOutgoing<Result>(_ body: (inout OutgoingQueue) -> Result) -> Result {
        var queue = OutgoingQueue()
        swap(&queue, &outgoing)
        defer { swap(&queue, &outgoing) }
        return body(&queue)
    }

    func block(_ on: borrowing OnShard) {
        guard !flags.isBlocked else { return }
        flags.isBlocked = true
        updateInterest(on)
        handler?.outputBlocked(on)
    }

    // MARK: Past the queue

    /// Whether what goes to many may go straight to the socket: nothing waits that would have to go first.
    private var isClear: Bool {
        guard flags.isShared, state == .open, !flags.isUnflushed, outgoing.isEmpty, case .plain = stream else {
            return false
        }
        return true
    }

    /// Says whether what goes to many may go to this connection, too, past its handler.
    func setShared(_ isShared: Bool, _ on: borrowing OnShard) {
        guard state == .open, flags.isShared != isShared else { return }
        flags.isShared = isShared
        on.shard.setClear(id, isClear, on)
    }

    /// To be called wherever ``isClear`` may have changed: fan-outs look at the shard's note, which is nearer.
    func noteClearness(_ on: borrowing OnShard) {
        if flags.isShared { on.shard.setClear(id, isClear, on) }
    }

    /// Queues what a clear socket has not taken: the flush then sees why, when handlers may be told.
    ///
    /// - Parameter sent: how many bytes of the chunk it has taken.
    func queue(_ chunk: [UInt8], from sent: Int, _ on: borrowing OnShard) {
        withOutgoing { queue in
            queue.append(chunk)
            queue.removeFirst(sent)
        }
        takenBytes &+= sent
        flushLater(on)
    }

    private func unblock(_ on: borrowing OnShard) {
        guard flags.isBlocked else { return }
        flags.isBlocked = false
        updateInterest(on)
        handler?.outputDrained(on)
    }
}
