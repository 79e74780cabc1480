import Inbox
import Store
import Transport
import WireProtocol

/// One authenticated WebSocket of one user: carries out the decisions of its machines.
///
/// Small on purpose, 128 bytes with malloc's own: ten thousand idle ones must cost little. Shared values are with the
/// shard, and rarely needed ones lie apart.
final class LiveSession: WebSocketHandler {
    let live: LiveShard
    private(set) var webSocket: WebSocketConnection?
    /// Nil while it needs none of that.
    var extras: SessionExtras?
    /// Nil before the hello and after the end.
    private(set) var user: UserID?
    private(set) var heartbeat: Heartbeat
    var machine = SessionMachine()
    private var rate: RateWindow
    /// Behind ``rate``, where two bytes are free, and four behind those.
    private var opened: SessionAge
    /// Of its last token.
    var issued = IssueTime.unknown
    var lifetime = CredentialLifetime(expiry: nil)
    /// The signer of its last token.
    var signer = TokenSigner.unknown
    private(set) var isActive = false
    var willCatchUp = false
    var pushes = CancellablePushes()

    var node: Node { live.node }

    /// How long a client whose token was refused may take for a hello with a better one. Clients send it at once, and
    /// one without a better token should hear of the refusal soon.
    private static let betterTokenTimeout = Duration.seconds(3)

    /// - Parameters:
    ///   - client: one without a WebSocket; nil for one with a WebSocket.
    ///   - frames: those of a client without a WebSocket, which come with its request. The first is its hello.
    init(
        live: LiveShard, credentials: Credentials?, refusal: LiveCloseCode?, problem: TokenProblem? = nil,
        client: StreamExtras? = nil, frames: [ClientFrame] = [], at now: ContinuousClock.Instant
    ) {
        let now = Moment(now)
        self.live = live
        heartbeat = Heartbeat(live.pace, at: now, jitter: live.node.chance())
        rate = RateWindow(live.rateLimit, from: now)
        opened = SessionAge(from: now)
        extras = client
        newcomer = SessionExtras.Newcomer(
            credentials: credentials, refusal: refusal, problem: problem, frames: frames)
    }

    /// Longer than a frame may be: a slightly longer one gets an error, and the session goes on. A much longer message
    /// is not even read, and closes with 1009.
    var maximumMessageBytes: Int { 4 * node.settings.limits.clientFrameBytes }
    var deflateSettings: DeflateSettings? { live.deflateSettings }

    /// What an operator sees of it.
    func status(_ on: borrowing OnShard) -> LiveHub.SessionStatus {
        LiveHub.SessionStatus(
            isActive: isActive, minutes: opened.minutes(at: Moment(on.now)),
            address: stream?.address ?? webSocket?.peerAddress,
            waitingBytes: webSocket?.backlog ?? 0, seq: machine.position?.seq, isBehind: machine.isBehind)
    }

    // MARK: Coming and going

    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        self.webSocket = webSocket
        live.opened(self)
        if let refusal = newcomer?.refusal ?? (live.isLeaving ? .drain : nil) { return close(refusal, on) }
        let timeout = node.settings.live.helloTimeout
        webSocket.setDeadline(on.now + (newcomer?.problem == nil ? timeout : min(timeout, Self.betterTokenTimeout)), on)
        for frame in newcomer?.frames ?? [] where !machine.hasEnded {
            guard isAdmitted(on) else { return close(.rateExceeded, on) }
            receive(frame, on)
        }
    }

    func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        machine.end()
        live.closed(self)
        for membership in memberships { live.leave(membership) }
        if let stream { node.openStreams.remove(stream.name) }
        if let user { live.leave(self, as: user) }
        extras = nil
        user = nil
        webSocket = nil
    }

    func close(_ code: LiveCloseCode, _ on: borrowing OnShard) { close(code, reason: code.reason, on) }

    /// Closes because of what was refused; the reason ends with the code of that, as REST would answer it.
    private func close(_ code: LiveCloseCode, because cause: String, _ on: borrowing OnShard) {
        close(code, reason: "\(code.reason): \(cause)", on)
    }

    private func close(_ code: LiveCloseCode, reason: String, _ on: borrowing OnShard) {
        if !machine.hasEnded { node.metrics.closes(with: code).add() }
        machine.end()
        webSocket?.close(code.rawValue, reason: reason, on)
    }

    // MARK: Input

    func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        guard !machine.hasEnded else { return }
        node.metrics.framesIn.add()
        guard isAdmitted(on) else { return close(.rateExceeded, on) }
        let limit = node.settings.limits.clientFrameBytes
        guard text.count <= limit else {
            return refuse(nil, .frameTooLarge, "expected at most \(limit) bytes; send several frames", on)
        }
        do {
            try receive(ClientFrame(parsing: text), on)
        } catch {
            refuse(error.id, error.code, error.message, on)
            if machine.awaitsHello { close(.badFrame, on) }
        }
    }

    /// Pings count as frames: each makes us answer, whether or not the peer reads.
    func isAlive(_ on: borrowing OnShard) {
        guard !machine.hasEnded else { return }
        if !isAdmitted(on) { close(.rateExceeded, on) }
    }

    /// Notes a frame, and returns whether the rate limit admits it.
    private func isAdmitted(_ on: borrowing OnShard) -> Bool {
        let now = Moment(on.now)
        heartbeat.heard(at: now)
        return rate.admits(at: now, live.rateLimit)
    }

    /// Whether the peer's last sign of life is recent enough.
    func isFresh(_ on: borrowing OnShard) -> Bool { heartbeat.isFresh(at: Moment(on.now), live.pace) }

    private func receive(_ frame: ClientFrame, _ on: borrowing OnShard) {
        if machine.awaitsHello {
            guard case .hello(let hello) = frame.kind else {
                return refuse(frame.id, .helloExpected, on)
            }
            return begin(hello, on)
        }
        guard let user else { return }
        switch frame.kind {
        case .hello:
            refuse(frame.id, .helloRepeated, on)
        case .ack(let seq): acknowledge(seq, as: user, frame.id, on)
        case .seen(let upTo): apply(.seen(upTo: upTo), as: user, frame.id, on)
        case .read(let selection): apply(.read(InboxChange.Selection(selection)), as: user, frame.id, on)
        case .remove(let ids): apply(.remove(InboxChange.Selection(.ids(ids))), as: user, frame.id, on)
        case .answer(let notification, let action): answer(notification, action, as: user, frame.id, on)
        case .state(let isActive):
            self.isActive = isActive
            confirm(frame.id, on)
        case .subscribe(let feed, let after, let tags): subscribe(to: feed, after: after, tags: tags, frame.id, on)
        case .unsubscribe(let feed): unsubscribe(from: feed, frame.id, on)
        case .snooze(let until): snooze(until: until, as: user, frame.id, on)
        case .token(let token): renew(token, frame.id, on)
        // Frames of later versions are ignored, but one with an `id` must not be confirmed.
        case .unknown:
            if frame.id != nil { refuse(frame.id, .unknownType, on) }
        }
    }

    private func begin(_ hello: ClientFrame.Hello, _ on: borrowing OnShard) {
        let verified =
            hello.token.map(verify) ?? newcomer?.credentials.map(judge) ?? newcomer?.problem.map(Result.failure)
        newcomer = nil
        switch verified {
        case nil: close(.badToken, because: "missing_token", on)
        case .failure(let problem): close(problem.closeCode, because: problem.code, on)
        case .success(let credentials):
            // Set first: the shard finds the session by its user.
            user = credentials.user
            guard live.join(self, as: credentials.user) else {
                user = nil
                return close(.tooManySessions, on)
            }
            feedClaims = FeedGate(node: node, app: credentials.user.app).claims(of: credentials)
            isActive = hello.isActive
            believe(credentials)
            machine.begin(maximumQueuedBytes: live.maximumQueuedBytes)
            recover(credentials.user, from: hello.resume, on)
            wakeNext(on)
        }
    }

    // MARK: Output

    func send(_ json: [UInt8], _ on: borrowing OnShard) {
        node.metrics.framesOut.add()
        webSocket?.send(text: json, on)
    }

    /// Sends a frame made for several sessions.
    func send(_ frame: OutgoingMessage, _ on: borrowing OnShard) {
        node.metrics.framesOut.add()
        webSocket?.send(frame, on)
    }

    func confirm(_ id: String?, _ on: borrowing OnShard) {
        if let id { answer(ServerFrame.ok(id: id), on) }
    }

    /// Sends what the client has asked for. A client that asks on and on, and does not read, is closed: nothing else
    /// bounds its answers.
    func answer(_ json: [UInt8], _ on: borrowing OnShard) {
        send(json, on)
        guard let stall else { return }
        stall.answeredBytes += json.count
        if stall.answeredBytes > live.maximumQueuedBytes, !machine.hasEnded { close(.slow, on) }
    }

    func refuse(_ id: String?, _ code: LiveErrorCode, _ on: borrowing OnShard) {
        refuse(id, code, code.meaning, on)
    }

    func refuse(_ id: String?, _ code: LiveErrorCode, _ message: String, _ on: borrowing OnShard) {
        answer(ServerFrame.error(id: id, code, message: message), on)
        if let closeCode = code.close { close(closeCode, because: code.rawValue, on) }
    }

    func outputBlocked(_ on: borrowing OnShard) {
        stall = SessionExtras.Stall(since: Moment(on.now), takenBytes: webSocket?.takenBytes ?? 0)
        // Until the hello, the deadline is the hello's.
        if !machine.awaitsHello { wakeNext(on) }
    }

    func outputDrained(_ on: borrowing OnShard) {
        stall = nil
        catchUp(on)
    }

    // MARK: Time

    func wakeNext(_ on: borrowing OnShard) {
        var next = heartbeat.nextWake(live.pace)
        if let stall { next = min(next, stall.since + node.settings.limits.stallTimeout) }
        if let wake = lifetime.nextWake { next = min(next, Moment(on.now) + max(wake - node.now(), .zero)) }
        webSocket?.setDeadline(next.roundedUp(to: live.pace.grain).instant, on)
    }

    func deadlineReached(_ on: borrowing OnShard) {
        if machine.awaitsHello {
            if let problem = newcomer?.problem { return close(problem.closeCode, because: problem.code, on) }
            return close(.helloTimeout, on)
        }
        if isStalled(on) { return close(.slow, on) }
        switch lifetime.wake(at: node.now(), grace: node.settings.live.renewGrace) {
        case .close: return close(.tokenExpired, on)
        case .renew(let within): send(ServerFrame.renew(within: within), on)
        case .none: break
        }
        // The client of an event stream answers no beat. It lives while it takes what it gets.
        if webSocket?.isEventStream == true, stall == nil { heartbeat.heard(at: Moment(on.now)) }
        switch heartbeat.wake(at: Moment(on.now), live.pace, jitter: node.chance()) {
        case .giveUp: return close(.noPong, on)
        case .beat: beat(on)
        case .none: break
        }
        wakeNext(on)
    }

    private func beat(_ on: borrowing OnShard) {
        guard let position = machine.position else { return }
        node.metrics.framesOut.add()
        webSocket?.sendWithPing(text: ServerFrame.beat(seq: position.seq, unread: position.unread), on)
    }

    /// Whether the peer has taken nothing for longer than allowed.
    private func isStalled(_ on: borrowing OnShard) -> Bool {
        let now = Moment(on.now)
        guard let stall, let webSocket else { return false }
        let late = now - (stall.since + node.settings.limits.stallTimeout)
        guard late >= .zero else { return false }
        // A process that slept has offered the peer nothing meanwhile.
        guard webSocket.takenBytes == stall.takenBytes, late <= live.pace.longestDelay else {
            (stall.since, stall.takenBytes) = (now, webSocket.takenBytes)
            return false
        }
        return true
    }
}
