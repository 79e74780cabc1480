import Inbox
import Storage
import Transport
import WireProtocol

/// One authenticated WebSocket of one user: runs what its machines decide.
final class LiveSession: WebSocketHandler {
    let live: LiveShard
    private(set) var webSocket: WebSocketConnection?
    var machine: SessionMachine
    private(set) var heartbeat: Heartbeat
    var lifetime: CredentialLifetime?
    private var rate: RateWindow
    private let helloDeadline: ContinuousClock.Instant
    /// When output last began to wait; nil while the peer takes what it gets.
    private(set) var stalledSince: ContinuousClock.Instant?
    private var takenWhenStalled = 0
    var willCatchUp = false
    /// News of the user's settings that wait for their turn.
    var heldSettings: OutgoingMessage?
    /// Who the handshake said it is, if it did; let go after the hello, since claims would double what a session holds.
    private var credentials: Credentials?
    /// Why it is closed as soon as it is open.
    private let refusal: LiveCloseCode?
    private(set) var user: UserID?
    private(set) var isActive = false
    /// What the token says about feeds.
    var feedClaims = FeedClaims()
    var memberships: [FeedMembership] = []
    /// How many subscriptions there have been.
    var subscriptionCount = 0

    var node: Node { live.node }

    init(
        live: LiveShard, credentials: Credentials?, refusal: LiveCloseCode?, at now: ContinuousClock.Instant
    ) {
        self.live = live
        self.credentials = credentials
        self.refusal = refusal
        let settings = live.node.settings
        machine = SessionMachine(maximumQueuedBytes: settings.limits.queuedBytes)
        heartbeat = Heartbeat(
            interval: settings.live.heartbeat, pongTimeout: settings.live.pongTimeout, at: now,
            jitter: .random(in: 0..<1))
        rate = RateWindow(limit: settings.limits.clientFramesPer10s, per: .seconds(10), from: now)
        helloDeadline = now + settings.live.helloTimeout
    }

    var maximumMessageBytes: Int { node.settings.limits.clientFrameBytes }
    var deflateSettings: DeflateSettings? { live.deflateSettings }

    // MARK: Coming and going

    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        self.webSocket = webSocket
        live.opened(self)
        if let refusal = refusal ?? (live.isLeaving ? .drain : nil) { return close(refusal, on) }
        webSocket.setDeadline(helloDeadline, on)
    }

    func closed(_ ending: WebSocketEnding, _ on: borrowing OnShard) {
        machine.end()
        live.closed(self)
        for membership in memberships { live.leave(membership) }
        memberships = []
        if let user { live.leave(self, as: user) }
        user = nil
        webSocket = nil
    }

    func close(_ code: LiveCloseCode, _ on: borrowing OnShard) {
        machine.end()
        webSocket?.close(code.rawValue, reason: code.reason, on)
    }

    // MARK: Input

    func received(text: UnsafeRawBufferPointer, _ on: borrowing OnShard) {
        guard !machine.hasEnded else { return }
        heartbeat.heard(at: on.now)
        node.metrics.framesIn.add()
        guard rate.admits(at: on.now) else { return close(.rateExceeded, on) }
        do {
            try receive(ClientFrame(parsing: text), on)
        } catch {
            send(error.frame, on)
            // What is no JSON object tells that the client speaks something else; a wrong field only that frame.
            if machine.awaitsHello || error.code == .invalidJSON || error.code == .notAnObject { close(.badFrame, on) }
        }
    }

    /// Pings count as frames: each makes us answer, whether or not the peer reads.
    func isAlive(_ on: borrowing OnShard) {
        guard !machine.hasEnded else { return }
        heartbeat.heard(at: on.now)
        if !rate.admits(at: on.now) { close(.rateExceeded, on) }
    }

    private func receive(_ frame: ClientFrame, _ on: borrowing OnShard) {
        if machine.awaitsHello {
            guard case .hello(let hello) = frame.kind else {
                refuse(frame.id, code: "hello_expected", "the first frame must be hello", on)
                return close(.badFrame, on)
            }
            return begin(hello, on)
        }
        guard let user else { return }
        switch frame.kind {
        case .hello:
            refuse(frame.id, code: "hello_repeated", "hello may be sent once", on)
        case .ack(let seq): acknowledge(seq, as: user, frame.id, on)
        case .seen(let upTo): apply(.seen(upTo: upTo), as: user, frame.id)
        case .read(let selection): apply(.read(InboxChange.Selection(selection)), as: user, frame.id)
        case .remove(let ids): apply(.remove(InboxChange.Selection(.ids(ids))), as: user, frame.id)
        case .state(let isActive):
            self.isActive = isActive
            confirm(frame.id, on)
        case .subscribe(let feed, let after, let tags): subscribe(to: feed, after: after, tags: tags, frame.id, on)
        case .unsubscribe(let feed): unsubscribe(from: feed, frame.id, on)
        case .token(let token): renew(token, frame.id, on)
        case .unknown: confirm(frame.id, on)
        }
    }

    private func begin(_ hello: ClientFrame.Hello, _ on: borrowing OnShard) {
        let verified = hello.token.map(verify) ?? credentials.map(Result.success)
        credentials = nil
        switch verified {
        case nil: close(.badToken, on)
        case .failure(let problem): close(problem.closeCode, on)
        case .success(let credentials):
            guard live.join(self, as: credentials.user) else { return close(.tooManySessions, on) }
            user = credentials.user
            feedClaims = FeedGate(node: node).claims(of: credentials)
            isActive = hello.isActive
            lifetime = CredentialLifetime(expiry: credentials.expiry, grace: node.settings.live.renewGrace)
            machine.begin()
            recover(credentials.user, from: hello.resume, on)
            wakeNext(on)
        }
    }

    // MARK: Output

    func send(_ json: [UInt8], _ on: borrowing OnShard) {
        node.metrics.framesOut.add()
        webSocket?.send(text: json, on)
    }

    /// Sends what was made for several sessions.
    func send(_ frame: OutgoingMessage, _ on: borrowing OnShard) {
        node.metrics.framesOut.add()
        webSocket?.send(frame, on)
    }

    func confirm(_ id: String?, _ on: borrowing OnShard) {
        if let id { send(ServerFrame.ok(id: id), on) }
    }

    func refuse(
        _ id: String?, code: String, _ message: String, isTemporary: Bool = false, _ on: borrowing OnShard
    ) {
        send(ServerFrame.error(id: id, code: code, message: message, isTemporary: isTemporary), on)
    }

    func outputBlocked(_ on: borrowing OnShard) {
        stalledSince = on.now
        takenWhenStalled = webSocket?.takenBytes ?? 0
        wakeNext(on)
    }

    func outputDrained(_ on: borrowing OnShard) {
        stalledSince = nil
        catchUp(on)
    }

    // MARK: Time

    func wakeNext(_ on: borrowing OnShard) {
        var next = heartbeat.nextWake
        if let stalledSince { next = min(next, stalledSince + node.settings.limits.stallTimeout) }
        if let wake = lifetime?.nextWake { next = min(next, on.now + max(wake - node.now(), .zero)) }
        webSocket?.setDeadline(next, on)
    }

    func deadlineReached(_ on: borrowing OnShard) {
        if machine.awaitsHello { return close(.helloTimeout, on) }
        if isStalled(on) { return close(.slow, on) }
        switch lifetime?.wake(at: node.now()) {
        case .close: return close(.tokenExpired, on)
        case .renew(let within): send(ServerFrame.renew(within: within), on)
        case nil, .some(.none): break
        }
        switch heartbeat.wake(at: on.now, jitter: .random(in: 0..<1)) {
        case .giveUp: return close(.noPong, on)
        case .beat: beat(on)
        case .none: break
        }
        wakeNext(on)
    }

    private func beat(_ on: borrowing OnShard) {
        guard let position = machine.position else { return }
        send(ServerFrame.beat(seq: position.seq, unread: position.unread), on)
        webSocket?.ping(on)
    }

    /// Whether the peer has taken nothing for as long as is allowed.
    private func isStalled(_ on: borrowing OnShard) -> Bool {
        guard let since = stalledSince, let webSocket, on.now >= since + node.settings.limits.stallTimeout else {
            return false
        }
        guard webSocket.takenBytes == takenWhenStalled else {
            stalledSince = on.now
            takenWhenStalled = webSocket.takenBytes
            return false
        }
        return true
    }
}
