extension Connection {
    /// The number of bytes that wait for the peer to take them.
    package var backlog: Int { outgoing.count }
    /// The number of bytes that the peer did not take; output that this turn has only queued does not count.
    package var refusedBytes: Int { flags.isBlocked ? outgoing.count : 0 }

    /// Queues bytes; they leave at the end of this turn, together with other queued bytes.
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

    /// Sends queued bytes, as far as the socket takes them. During a handshake they go on waiting.
    package func flush(_ on: borrowing OnShard) {
        flags.isUnflushed = false
        if state == .closed || state == .lingering { return }
        if case .handshaking = stream { return }
        // TLS may have output left even when the queue is empty.
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

    /// - Parameter body: works on the queue while this connection is not being accessed; it must not call the
    ///   connection.
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

    /// Whether bytes for many may go straight to the socket: no earlier output waits.
    private var isClear: Bool {
        guard flags.isShared, state == .open, !flags.isUnflushed, outgoing.isEmpty, case .plain = stream else {
            return false
        }
        return true
    }

    /// Sets whether bytes for many may go to this connection without its handler.
    func setShared(_ isShared: Bool, _ on: borrowing OnShard) {
        guard state == .open, flags.isShared != isShared else { return }
        flags.isShared = isShared
        on.shard.setClear(id, isClear, on)
    }

    /// Must be called wherever ``isClear`` may have changed: fan-outs read the shard's note, which is faster to reach.
    func noteClearness(_ on: borrowing OnShard) {
        if flags.isShared { on.shard.setClear(id, isClear, on) }
    }

    /// Queues the part of a chunk that a clear socket did not take; the flush then finds the reason, where handlers may
    /// be called.
    ///
    /// - Parameter sent: the number of bytes that the socket took.
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
