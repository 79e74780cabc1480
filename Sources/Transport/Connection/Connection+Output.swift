extension Connection {
    /// How many bytes wait for the peer to take them.
    package var backlog: Int { outgoing.count }
    /// How many bytes wait because the peer does not take them; what this turn has queued so far is no sign of that.
    package var refusedBytes: Int { flags.isBlocked ? outgoing.count : 0 }

    /// Queues bytes; they leave at the end of this turn, together with whatever else is queued till then.
    package func send(_ bytes: [UInt8], _ on: borrowing OnShard) {
        guard state == .open else { return }
        outgoing.append(bytes)
        if !flags.isBlocked { flushLater(on) }
    }

    func flushLater(_ on: borrowing OnShard) {
        guard !flags.isUnflushed else { return }
        flags.isUnflushed = true
        on.shard.needsFlush(self, on)
    }

    /// Sends what is queued, as far as the socket takes it. What waits for a handshake goes on waiting.
    package func flush(_ on: borrowing OnShard) {
        flags.isUnflushed = false
        if state == .closed || state == .lingering { return }
        if case .handshaking = stream { return }
        // With nothing more to send, TLS may have something left.
        while !outgoing.isEmpty || stream.holdsOutput {
            let outcome = outgoing.withNextRun(scratch: on.shard.sendBuffer) { stream.write(id.descriptor, $0) }
            switch outcome {
            case .moved(let count):
                outgoing.removeFirst(count)
                takenBytes &+= count
            case .blocked: return block(on)
            case .ended: return close(on)
            case .failed(let errno): return fail(errno, on)
            case .failedTLS(let failure): return fail(failure, on)
            }
        }
        if state == .finishing { return linger(on) }
        unblock(on)
    }

    func block(_ on: borrowing OnShard) {
        guard !flags.isBlocked else { return }
        flags.isBlocked = true
        updateInterest(on)
        handler?.outputBlocked(on)
    }

    private func unblock(_ on: borrowing OnShard) {
        guard flags.isBlocked else { return }
        flags.isBlocked = false
        updateInterest(on)
        handler?.outputDrained(on)
    }
}
