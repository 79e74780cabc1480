extension Connection {
    /// A bound on reads in a row keeps one busy peer from holding up the others.
    private static var readsPerTurn: Int { 4 }

    /// Stops or resumes reading: backpressure towards the peer.
    ///
    /// While nothing is read and nothing waits to be written, the peer's leaving is not noticed either: what it sent
    /// before is read first.
    package func setReading(_ isReading: Bool, _ on: borrowing OnShard) {
        guard state == .open, !flags.peerHasFinished, isReading == flags.isPaused else { return }
        flags.isPaused = !isReading
        updateInterest(on)
        // The poller does not see what TLS holds.
        if isReading, stream.holdsInput { readLater(on) }
    }

    func ready(_ readiness: Readiness, _ on: borrowing OnShard) {
        if case .handshaking(let handshake) = stream { return queue(handshake, on) }
        // A write to a peer that left fails, and with it would go what the peer said last.
        let readsFirst = readiness.contains(.ended)
        if readsFirst { takeInput(readiness, on) }
        if flags.isBlocked, readiness.contains(.writable) { flush(on) }
        if !readsFirst { takeInput(readiness, on) }
    }

    private func takeInput(_ readiness: Readiness, _ on: borrowing OnShard) {
        guard readiness.contains(.readable) else { return }
        // A peer that never stops would have one turn more each time, at the cost of others.
        if flags.goesOnReading, !readiness.contains(.ended) { return }
        let untilEmpty = readiness.contains(.unrepeated)
        switch state {
        case .open: if !flags.isPaused, !flags.peerHasFinished { read(untilEmpty: untilEmpty, on) }
        case .lingering: discardInput(untilEmpty: untilEmpty, on)
        case .finishing, .closed: break
        }
    }

    /// - Parameter untilEmpty: the poller may not come back for what is left.
    func read(untilEmpty: Bool, _ on: borrowing OnShard) {
        for _ in 0..<Self.readsPerTurn {
            let buffer = on.shard.receiveBuffer
            let outcome = stream.read(id.descriptor, into: buffer)
            // TLS may have to answer for itself.
            if stream.holdsOutput { flushLater(on) }
            switch outcome {
            case .moved(let count):
                handler?.received(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), on)
                guard state == .open, !flags.isPaused else { return }
                // Only a full buffer means that more is waiting. A peer that sends urgent data, or descriptors, with
                // its bytes may have to send another one before what is behind is read.
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

    /// Goes on where a turn's reads have ended, for what no poller tells.
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

    /// What nobody acts on must not be watched: it would fire without end.
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
