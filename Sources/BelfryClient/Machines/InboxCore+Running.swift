/// Runs the decisions of the machines.
extension InboxCore {
    /// All effects since the last call, with the state to show.
    mutating func drain() -> [Effect] {
        publish()
        defer { effects = [] }
        return effects
    }

    private mutating func publish() {
        let lag = replica.lag
        // A replay is shown at its end, as a whole.
        if let lag, lag > 0, session.status.word == snapshot.status.word { return }
        var next = snapshot
        next.status = session.status
        next.isSynced = session.isSynced && lag == 0
        let view = replica.view
        (next.unread, next.unseen, next.hasMore) = (view.unread, view.unseen, replica.hasMore)
        next.badge = badge.badge(unread: view.unread, unseen: view.unseen)
        var isNew = false
        if shownVersion != replica.version {
            shownVersion = replica.version
            isNew = !next.items.elementsEqual(view.items) { $0.looksLike($1) }
            if isNew { next.items = view.items }
        }
        if next.status.word != snapshot.status.word { changes.append(.status(next.status)) }
        if isNew || next.looksDifferent(from: snapshot) {
            snapshot = next
            effects.append(.show(next))
        }
        effects += changes.map(Effect.tell)
        changes = []
        if session.stopReason != nil, !isFinished {
            isFinished = true
            effects.append(.finished)
        }
    }

    mutating func run(_ decided: [SessionLife.Effect], _ moment: Moment? = nil) {
        for effect in decided {
            switch effect {
            case .open(let why): beginSocket(why)
            case .drop:
                if socket == .opening || socket == .open { effects.append(.close(socket: socketNumber)) }
                socket = .none
                outgoing = []
            case .probe: send(ClientFrame(type: "state", members: ["id": "probe", "active": .bool(isActive)]), moment)
            case .renew:
                isRenewing = true
                perform(requests.ask(.renew), moment)
            case .timer(let delay): effects.append(.timer(.session, after: delay))
            case .stopped(let reason): end(reason)
            }
        }
    }

    private mutating func beginSocket(_ why: TokenReason?) {
        socketNumber += 1
        guard let why else { return openSocket() }
        socket = .awaitingToken
        perform(requests.ask(why), nil)
    }

    mutating func openSocket() {
        socket = .opening
        effects.append(.open(socket: socketNumber))
    }

    private mutating func end(_ reason: StopReason) {
        isRenewing = false
        for timer in [Timer.pace, .acknowledgements] { effects.append(.timer(timer, after: nil)) }
        let error = BelfryError(reason)
        for id in commands.keys.sorted() { settle(id, .failure(error)) }
        perform(requests.stop(error), nil)
        for subscription in subscriptions.keys.sorted() {
            effects.append(.ended(subscription: subscription, reason == .closed ? nil : error))
        }
        subscriptions = [:]
    }

    mutating func run(_ decided: [InboxReplica.Effect], _ moment: Moment) {
        for effect in decided {
            switch effect {
            case .changed(let change): changes.append(change)
            case .refresh: perform(requests.begin(.list(), for: .list(socket: socketNumber)), moment)
            case .restart: run(session.closed(nil, moment), moment)
            }
        }
    }

    mutating func perform(_ decided: [Requests<Purpose>.Effect], _ moment: Moment?) {
        for effect in decided {
            switch effect {
            case .ask(let reason): effects.append(.askForToken(reason))
            case .send(let number, let call, let token): effects.append(.request(number, call, token: token))
            case .done(let purpose, let result): finish(purpose, result, moment)
            }
        }
    }

    // MARK: Frames

    mutating func take(_ frame: ServerFrame, _ moment: Moment) {
        let from = hub.receive(frame)
        if let id = frame.id, commands[id] != nil { answer(id, frame) }
        run(replica.receive(frame), moment)
        if frame.type == "ready" {
            acks.again()
            tellAttention(moment)
            for command in replica.pending { say(command.frame, moment) }
        }
        for number in subscriptions.keys.sorted() {
            run(subscriptions[number]?.receive(frame, from: from) ?? [], of: number, moment)
        }
        acknowledge()
    }

    private mutating func answer(_ id: String, _ frame: ServerFrame) {
        if frame.type == "ok" { return settle(id, .success(.null)) }
        // A server that is leaving has not processed it: it is sent again on the next connection.
        if frame.type == "error", frame.error.code != "leaving" { settle(id, .failure(frame.error)) }
    }

    private mutating func run(_ decided: [FeedSubscription.Effect], of number: Int, _ moment: Moment) {
        for effect in decided {
            switch effect {
            case .entry(let entry): effects.append(.entry(entry, subscription: number))
            case .again: subscribe(number, moment)
            case .refused(let error):
                subscriptions.removeValue(forKey: number)
                effects.append(.ended(subscription: number, error))
            }
        }
    }

    mutating func subscribe(_ number: Int, _ moment: Moment) {
        // Sent again after `ready`, so that no subscription is lost.
        guard session.isLive, let subscription = subscriptions[number] else { return }
        for frame in hub.subscribe(subscription.frame, to: subscription.feed) { send(frame, moment) }
    }

    /// Sends a frame if there is a session. Frames that must not be lost are sent again after `ready`.
    mutating func say(_ frame: ClientFrame, _ moment: Moment) {
        if session.isLive { send(frame, moment) }
    }

    private mutating func send(_ frame: ClientFrame, _ moment: Moment?) {
        outgoing.append(frame)
        if let moment { pump(moment) }
    }

    mutating func pump(_ moment: Moment) {
        while socket == .open, !outgoing.isEmpty {
            if let wait = pace.take(moment.milliseconds) {
                effects.append(.timer(.pace, after: wait))
                return
            }
            effects.append(.send(outgoing.removeFirst(), socket: socketNumber))
        }
    }

    // MARK: Attention

    mutating func tellAttention(_ moment: Moment) {
        guard session.isLive, isActive != isLooking else { return }
        isActive = isLooking
        send(ClientFrame(type: "state", members: ["active": .bool(isActive)]), moment)
    }

    mutating func acknowledge() {
        if acks.show(replica.seq, isLooking: isLooking) {
            effects.append(.timer(.acknowledgements, after: Acknowledgements.folding))
        }
    }
}

extension InboxSnapshot {
    /// Compares everything except the items.
    fileprivate func looksDifferent(from other: InboxSnapshot) -> Bool {
        status != other.status || isSynced != other.isSynced || unread != other.unread || unseen != other.unseen
            || hasMore != other.hasMore || badge != other.badge
    }
}
