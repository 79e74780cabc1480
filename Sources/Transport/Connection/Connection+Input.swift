extension Connection {
    /// Limits the reads in a row, so that one busy peer cannot delay the others.
    private static var readsPerTurn: Int { 4 }

    /// Stops or resumes reading: backpressure towards the peer.
    ///
    /// While reading is stopped and no output waits, a peer that leaves is not noticed: its earlier bytes are read
    /// first.
    package func setReading(_ isReading: Bool, _ on: borrowing OnShard) {
        guard state == .open, !flags.peerHasFinished, isReading == flags.isPaused else { return }
        flags.isPaused = !isReading
        updateInterest(on)
        // The poller does not see bytes inside TLS.
        if isReading, stream.holdsInput { readLater(on) }
    }

    func ready(_ readiness: Readiness, _ on: borrowing OnShard) {
        if case .handshaking(let handshake) = stream { return queue(handshake, on) }
        // After the peer has left, a write fails, and the peer's last bytes would be lost: they are read first.
        let readsFirst = readiness.contains(.ended)
        if readsFirst { takeInput(readiness, on) }
        if flags.isBlocked, readiness.contains(.writable) { flush(on) }
        if !readsFirst { takeInput(readiness, on) }
    }

    private func takeInput(_ readiness: Readiness, _ on: borrowing OnShard) {
        guard readiness.contains(.readable) else { return }
        // Otherwise a peer that never stops would get an extra turn each time, at the cost of others.
        if flags.goesOnReading, !readiness.contains(.ended) { return }
        let untilEmpty = readiness.contains(.unrepeated)
        switch state {
        case .open: if !flags.isPaused, !flags.peerHasFinished { read(untilEmpty: untilEmpty, on) }
        case .lingering: discardInput(untilEmpty: untilEmpty, on)
        case .finishing, .closed: break
        }
    }

    /// - Parameter untilEmpty: whether the poller may not report the rest again.
    func read(untilEmpty: Bool, _ on: borrowing OnShard) {
        for _ in 0..<Self.readsPerTurn {
            let buffer = on.shard.receiveBuffer
            let outcome = stream.read(id.descriptor, into: buffer)
            // TLS may have an answer of its own to send.
            if stream.holdsOutput { flushLater(on) }
            switch outcome {
            case .moved(let count):
                handler?.received(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), on)
                guard state == .open, !flags.isPaused else { return }
                // Only a full buffer means that more is waiting. A peer that sends urgent data or descriptors with its
                // bytes may have to send again before the rest is read.
                guard count == buffer.count || untilEmpty || stream.holdsInput else { return }
            case .blocked:
                return
            case .ended:
                flags.peerHasFinished = true
                updateInterest(on)
                handler?.peerFinished(on)
                return
            case .failed(let errno): return fail(errno, on)
            case .failedTLS(let failure): return fail(failure, on)
            }
        }
        readLater(on)
    }

    /// Continues behind the last read of this turn, for input that no poller reports.
    private func readLater(_ on: borrowing OnShard) {
        guard !flags.goesOnReading else { return }
        flags.goesOnReading = true
        on.shard.post { [id] on in
            guard let connection = on.shard.connection(id, on) else { return }
            connection.flags.goesOnReading = false
            connection.ready([.readable, .unrepeated], on)
        }
    }

    private func discardInput(untilEmpty: Bool, _ on: borrowing OnShard) {
        for _ in 0..<Self.readsPerTurn {
            switch ByteStream.readPlain(id.descriptor, into: on.shard.receiveBuffer) {
            case .moved: continue
            case .blocked: return
            case .ended, .failed, .failedTLS: return close(on)
            }
        }
        if untilEmpty { readLater(on) }
    }

    /// Readiness without a handler must not be watched: it would fire without end.
    func updateInterest(isDrained: Bool = false, _ on: borrowing OnShard) {
        on.shard.watch(id, for: interest, isDrained: isDrained, on)
    }

    var interest: Interest {
        if case .handshaking(let handshake) = stream { return handshake.isUnwatched ? [] : handshake.wants }
        var interest = Interest()
        switch state {
        case .open:
            if !flags.isPaused, !flags.peerHasFinished { interest = .reading }
        case .lingering: interest = .reading
        case .finishing, .closed: break
        }
        if flags.isBlocked { interest.insert(.writing) }
        if case .plain = stream, state != .lingering, !interest.isEmpty { interest.insert(.onlyNews) }
        return interest
    }
}
