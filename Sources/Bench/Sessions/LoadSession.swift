import JSON
import Transport
import WireProtocol

/// One client of the load: opens, becomes ready, counts frames, and reconnects when it is told to. Confined to its
/// shard.
final class LoadSession: WebSocketHandler {
    enum Phase: UInt8 {
        case down
        /// Opening.
        case underway
        case ready
    }

    /// The shard outlives its sessions.
    private unowned let shard: ShardSessions
    let index: Int
    private(set) var phase = Phase.down
    private var hasBeenReady = false
    /// The time at which it was to open or to come back, by ``BenchClock``.
    private var due: Int64 = 0
    private var webSocket: WebSocketConnection?
    /// Made once, because a storm should measure the server's work.
    private var token = ""
    /// The last known position of the inbox; an empty epoch if it is unknown.
    private var epoch = ""
    private var seq: Int64 = 0

    init(index: Int, shard: ShardSessions) {
        self.index = index
        self.shard = shard
    }

    /// The largest message of a gateway is a page of notifications.
    var maximumMessageBytes: Int { 4 << 20 }
    var acceptsBinary: Bool { true }

    // MARK: Coming and going

    /// - Parameter due: the time at which it was to begin; its latency counts from there.
    func connect(due: Int64, _ on: borrowing OnShard) {
        self.due = due
        phase = .underway
        shard.counts.underway += 1
        attempt(on)
    }

    private func attempt(_ on: borrowing OnShard) {
        do {
            if token.isEmpty { token = try shard.token(ofUser: shard.plan.user(index)) }
            let target = shard.target(forSession: index, token: token)
            WebSocketConnector.connect(target, handler: self, on) { [self] failure, on in
                failed("\(failure)", on)
            }
        } catch {
            failed("no token could be made: \(error)", on)
        }
    }

    /// Vanishes without a close, like a phone in a tunnel, and comes back.
    func comeBack(due: Int64, _ on: borrowing OnShard) {
        guard phase == .ready else { return }
        phase = .down
        shard.counts.ready -= 1
        webSocket?.abort(on)
        connect(due: due, on)
    }

    /// Ends for good.
    func end(_ on: borrowing OnShard) {
        phase = .down
        webSocket?.abort(on)
    }

    private func becomeReady() {
        guard phase == .underway else { return }
        phase = .ready
        shard.counts.underway -= 1
        shard.counts.ready += 1
        shard.tallyOpening(BenchClock.now - due, isReturn: hasBeenReady)
        hasBeenReady = true
    }

    private func failed(_ reason: String, _ on: borrowing OnShard) {
        guard phase == .underway else { return }
        // A session that was ready once keeps trying, however long it takes.
        if hasBeenReady {
            shard.counts.retries += 1
            let delay = Duration.milliseconds(Int.random(in: 100...300))
            return on.shard.schedule(at: on.now + delay, on) { [self] on in
                if phase == .underway { attempt(on) }
            }
        }
        phase = .down
        shard.counts.underway -= 1
        shard.counts.failures[reason, default: 0] += 1
    }

    // MARK: Talking

    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        guard phase == .underway else { return webSocket.abort(on) }
        self.webSocket = webSocket
        switch shard.plan.speech {
        case .belfry:
            let resume = epoch.isEmpty ? nil : ClientFrame.Hello.Resume(epoch: epoch, seq: seq)
            send(.hello(.init(resume: resume)), on)
        case .raw(let speech):
            let values = shard.values(ofSession: index, token: token)
            for message in speech.opening { send(message.rendered(values), isBinary: speech.isBinary, on) }
            if speech.readyText == nil { becomeReady() }
        }
    }

    func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        shard.counts.messages += 1
        shard.counts.bytes += text.count
        switch shard.plan.speech {
        case .belfry(let feed, let confirmsAcks): take(FrameGlance(text), text, feed, confirmsAcks, on)
        case .raw(let speech): take(text, speech, on)
        }
    }

    func received(binary: UnsafeRawBufferPointer, _ on: borrowing OnShard) { received(text: binary, on) }

    private func take(
        _ frame: FrameGlance, _ text: UnsafeRawBufferPointer, _ feed: String?, _ confirmsAcks: Bool,
        _ on: borrowing OnShard
    ) {
        switch frame {
        case .item: shard.tallyMarkers(in: text)
        case .notification(let seq):
            self.seq = seq
            let marker = shard.tallyMarkers(in: text)
            send(.ack(seq: seq), id: confirmsAcks ? marker : nil, on)
        case .ok: shard.tallyConfirmation(in: text)
        case .ready:
            readPosition(text)
            if let feed { send(.subscribe(feed: feed, after: nil), on) } else { becomeReady() }
        case .reset: readPosition(text)
        case .feed: becomeReady()
        case .gap: shard.counts.complaints["gap: frames were left out", default: 0] += 1
        case .error:
            let code = (try? JSONNode(parsing: text))?["code"]?.string ?? "unknown"  // what is no JSON has no code
            shard.counts.complaints["error: \(code)", default: 0] += 1
            if phase == .underway { webSocket?.close(1000, reason: "", on) }
        case .other: break
        }
    }

    private func readPosition(_ text: UnsafeRawBufferPointer) {
        // Unreadable frames leave the old position, and the server then refuses the next resumption.
        guard let frame = try? JSONNode(parsing: text) else { return }
        epoch = frame["epoch"]?.string ?? epoch
        seq = frame["seq"]?.int ?? seq
    }

    private func take(_ message: UnsafeRawBufferPointer, _ speech: RawSpeech, _ on: borrowing OnShard) {
        shard.tallyMarkers(in: message)
        if phase == .underway, let readyText = speech.readyText,
            String(decoding: message, as: UTF8.self).contains(readyText)
        {
            becomeReady()
        }
        for reply in speech.replies where message.elementsEqual(reply.message.utf8) {
            send(Array(reply.answer.utf8), isBinary: speech.isBinary, on)
        }
    }

    private func send(_ kind: ClientFrame.Kind, id marker: Marker? = nil, _ on: borrowing OnShard) {
        var id: String?
        if let marker {
            var bytes: [UInt8] = []
            marker.append(to: &bytes)
            id = "\"\(String(decoding: bytes, as: UTF8.self))\""
        }
        send(ClientFrame(id: id, kind).encoded, isBinary: false, on)
    }

    private func send(_ message: [UInt8], isBinary: Bool, _ on: borrowing OnShard) {
        if isBinary { webSocket?.send(binary: message, on) } else { webSocket?.send(text: message, on) }
    }

    // MARK: Ends

    func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        webSocket = nil
        let reason =
            ending.reason.isEmpty ? "closed with \(ending.code)" : "closed with \(ending.code): \(ending.reason)"
        switch phase {
        case .down: break
        case .underway: failed(reason, on)
        case .ready:
            phase = .down
            shard.counts.ready -= 1
            shard.counts.losses[reason, default: 0] += 1
            // Codes of the live protocol that ask a client to come back.
            if (4200..<4300).contains(ending.code) { connect(due: BenchClock.now, on) }
        }
    }

    func isAlive(_ on: borrowing OnShard) {}
    func deadlineReached(_ on: borrowing OnShard) {}
    func outputBlocked(_ on: borrowing OnShard) {}
    func outputDrained(_ on: borrowing OnShard) {}
}
