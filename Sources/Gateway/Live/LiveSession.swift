import Inbox
import JSON
import Storage
import Transport
import WireProtocol

/// One authenticated WebSocket of one user: runs what its machines decide.
final class LiveSession: WebSocketHandler {
    let live: LiveShard
    private(set) var webSocket: WebSocketConnection?
    private(set) var machine: SessionMachine
    private(set) var heartbeat: Heartbeat
    var lifetime: CredentialLifetime?
    private var rate: RateWindow
    private let helloDeadline: ContinuousClock.Instant
    /// When output last began to wait; nil while the peer takes what it gets.
    private var stalledSince: ContinuousClock.Instant?
    private var takenWhenStalled = 0
    private var willCatchUp = false
    /// Who the handshake said it is, if it did; let go after the hello, since claims would double what a session holds.
    private var credentials: Credentials?
    /// Why it is closed as soon as it is open.
    private let refusal: LiveCloseCode?
    private(set) var user: UserID?
    private(set) var isActive = false
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

    // MARK: Coming and going

    func opened(_ webSocket: WebSocketConnection, _ on: borrowing OnShard) {
        self.webSocket = webSocket
        live.opened(self)
        if let refusal { return close(refusal, on) }
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

    func drain(reconnectIn delay: Duration, _ on: borrowing OnShard) {
        send(ServerFrame.drain(reconnectIn: delay), on)
        close(.drain, on)
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
        case .subscribe(let feed, let after): subscribe(to: feed, after: after, frame.id, on)
        case .unsubscribe(let feed): unsubscribe(from: feed, frame.id, on)
        case .token(let token): renew(token, frame.id, on)
        case .unknown: confirm(frame.id, on)
        }
    }

    func confirm(_ id: String?, _ on: borrowing OnShard) {
        if let id { send(ServerFrame.ok(id: id), on) }
    }

    func refuse(
        _ id: String?, code: String, _ message: String, isTemporary: Bool = false, _ on: borrowing OnShard
    ) {
        send(ServerFrame.error(id: id, code: code, message: message, isTemporary: isTemporary), on)
    }

    // MARK: Hello and recovery

    private func begin(_ hello: ClientFrame.Hello, _ on: borrowing OnShard) {
        let verified = hello.token.map(verify) ?? credentials.map(Result.success)
        credentials = nil
        switch verified {
        case nil: close(.badToken, on)
        case .failure(let problem): close(problem.closeCode, on)
        case .success(let credentials):
            guard live.join(self, as: credentials.user) else { return close(.tooManySessions, on) }
            user = credentials.user
            isActive = hello.isActive
            lifetime = CredentialLifetime(expiry: credentials.expiry, grace: node.settings.live.renewGrace)
            machine.begin()
            recover(credentials.user, from: hello.resume)
            wakeNext(on)
        }
    }

    /// What a frame brought as a token.
    func verify(_ token: String) -> Result<Credentials, TokenProblem> {
        guard let token = BearerToken(token) else { return .failure(.malformed) }
        return node.authenticator.verify(token, at: node.now())
    }

    private func recover(_ user: UserID, from resume: ClientFrame.Hello.Resume?) {
        guard let reference = webSocket?.reference else { return }
        let position = resume.map { InboxPosition(epoch: $0.epoch, seq: $0.seq) }
        node.store.recover(user, from: position) { result in
            reference.post { handler, on in (handler as? LiveSession)?.recovered(result, didAsk: position != nil, on) }
        }
    }

    private func recovered(_ result: Result<Recovery, StoreError>, didAsk: Bool, _ on: borrowing OnShard) {
        guard case .success(let recovery) = result else { return close(.internalError, on) }
        machine.recovered(recovery)
        let state = recovery.state
        switch recovery.result {
        case .changes:
            send(ready(state, isRecovered: didAsk), on)
        case .reset(let notifications):
            send(ready(state, isRecovered: false), on)
            send(frames: LiveFrames.reset(state, notifications), on)
        }
        catchUp(on)
    }

    private func ready(_ state: InboxState, isRecovered: Bool) -> [UInt8] {
        let (limits, live) = (node.settings.limits, node.settings.live)
        return ServerFrame.ready(
            session: RandomName.make(prefix: "ses_"), epoch: state.epoch, seq: state.seq, unread: state.unread,
            unseen: state.unseen, heartbeat: live.heartbeat,
            limits: LiveLimits(
                frameBytes: limits.clientFrameBytes, frames: limits.clientFramesPer10s, framesWindow: .seconds(10),
                sessions: limits.sessionsPerUser, queuedBytes: limits.queuedBytes, stallTimeout: limits.stallTimeout),
            isRecovered: isRecovered)
    }

    /// Sends what waits for room: the rest of a catch-up, and news of what was left out.
    func catchUp(_ on: borrowing OnShard) {
        guard let webSocket else { return }
        let hasTakenAll = webSocket.backlog == 0
        while let next = machine.next(queuedBytes: webSocket.backlog) {
            switch next {
            case .replay(let change): send(frames: LiveFrames.frame(for: change, isReplay: true), on)
            case .held(let held): send(frames: held.frame, on)
            case .gap(let gap): send(ServerFrame.gap(from: gap.from, to: gap.to, unread: gap.unread), on)
            }
        }
        for membership in memberships where hasTakenAll {
            guard let gap = membership.subscription.drained() else { continue }
            send(ServerFrame.gap(feed: membership.roster.feed, from: gap.from, to: gap.to), on)
        }
        catchUpNextTurn(on)
    }

    /// A socket that takes all at once is never told as drained, so what still waits looks again by itself.
    private func catchUpNextTurn(_ on: borrowing OnShard) {
        guard stalledSince == nil, !willCatchUp, let reference = webSocket?.reference,
            machine.isBehind || memberships.contains(where: \.subscription.isBehind)
        else { return }
        willCatchUp = true
        reference.post { handler, on in
            guard let session = handler as? LiveSession else { return }
            session.willCatchUp = false
            session.catchUp(on)
        }
    }

    // MARK: Delivery

    func deliver(_ stamp: ChangeStamp, _ frame: [UInt8], _ on: borrowing OnShard) {
        if machine.deliver(stamp, frame: frame, queuedBytes: webSocket?.refusedBytes ?? 0) == .send {
            send(frames: frame, on)
        } else if machine.isFolding {
            node.metrics.framesFolded.add()
        }
    }

    func send(_ json: [UInt8], _ on: borrowing OnShard) { send(frames: FrameEncoder.text(json), on) }

    func send(frames: [UInt8], _ on: borrowing OnShard) {
        node.metrics.framesOut.add()
        webSocket?.send(frames: frames, on)
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
