import Inbox
import Store
import Transport
import WireProtocol

/// One shard's live sessions by user and by feed; turns commits into frames for them.
final class LiveShard {
    let node: Node
    /// The sessions after their hello.
    private var sessions = ObjectTable<LiveSession>()
    private var rosters: [ExactText: FeedRoster] = [:]
    /// How many sessions need a slot, those before their hello included.
    private(set) var openCount = 0
    /// The last number of a feed's catch-up.
    private var catchUpCount = 0

    // Settings that all sessions share.
    let pace: Heartbeat.Pace
    let rateLimit: RateWindow.Limit
    let maximumQueuedBytes: Int

    private var judging = JudgingRound()
    private var revoked = RevokedSessions()
    /// Nil without traces.
    let traces: LiveTraces?

    /// The compression of the sessions' messages; nil for none.
    let deflateSettings: DeflateSettings?

    /// A session with the moment at which it has to leave.
    private struct Departure {
        let session: LiveSession
        let moment: ContinuousClock.Instant
    }

    /// Latest first: the next one is the last.
    private var departures: [Departure] = []
    private(set) var isLeaving = false
    /// Rosters with items to deliver, of this turn or of earlier ones.
    private var news: [FeedRoster] = []
    /// Whether ``deliverNewsOfThisTurn(_:)`` is called at this turn's end.
    private var isTurnAwaited = false
    private var isDeliveryScheduled = false
    /// How many bytes a session may have got of its feeds since the last flush.
    private var queuedBytes = 0

    init(node: Node) {
        self.node = node
        traces = LiveTraces(node.tracer)
        let settings = node.settings
        deflateSettings = DeflateSettings(settings.compression)
        pace = Heartbeat.Pace(interval: settings.live.heartbeat, pongTimeout: settings.live.pongTimeout)
        rateLimit = RateWindow.Limit(count: settings.limits.clientFramesPer10s, span: .seconds(10))
        maximumQueuedBytes = settings.limits.queuedBytes
    }

    // MARK: Coming and going

    func opened(_ session: LiveSession) {
        openCount += 1
        node.metrics.webSockets.add(1)
    }

    func closed(_ session: LiveSession) {
        openCount -= 1
        node.metrics.webSockets.add(-1)
    }

    /// False if the user has as many sessions as allowed.
    func join(_ session: LiveSession, as user: UserID) -> Bool {
        guard node.presence.join(user) else { return false }
        node.store.watch(.inbox(user))
        sessions.insert(session)
        node.metrics.sessions(of: user, by: session.way, changeBy: 1)
        return true
    }

    func leave(_ session: LiveSession, as user: UserID) {
        node.presence.leave(user)
        // For the other nodes, whom this one sends away is on the way back.
        if !isLeaving { node.store.unwatch(.inbox(user)) }
        node.metrics.sessions(of: user, by: session.way, changeBy: -1)
        sessions.remove(session)
    }

    func sessions(of user: UserID) -> [LiveSession] { sessions[user] }

    /// - Parameter feed: its key.
    func roster(of feed: String) -> FeedRoster {
        let key = ExactText(feed)
        if let roster = rosters[key] { return roster }
        let roster = FeedRoster(
            feed: feed, keepsItems: FeedGate.keepsItems(ofKey: feed, node), maximumQueuedBytes: maximumQueuedBytes)
        rosters[key] = roster
        node.store.watch(.feed(key))
        return roster
    }

    /// Returns the number of a new subscription's catch-up.
    func nextCatchUp() -> Int {
        catchUpCount += 1
        return catchUpCount
    }

    func leave(_ membership: FeedMembership) {
        membership.roster.remove(membership)
        guard membership.roster.isEmpty, rosters.removeValue(forKey: ExactText(membership.roster.feed)) != nil else {
            return
        }
        node.store.unwatch(.feed(ExactText(membership.roster.feed)))
    }

    /// Ends a person's sessions by tokens that no longer count. Returns how many the revocation has ended here in all.
    func end(by revocation: Revocation, _ on: borrowing OnShard) -> Int {
        let ended = sessions(of: revocation.user).filter {
            $0.issued.isBefore(revocation.issuedBefore) && !$0.machine.hasEnded
        }
        for session in ended { session.close(.tokenExpired, on) }
        if !ended.isEmpty {
            // The node that took the call finds this one by what it watches. The sessions may be gone by then.
            let subject = NewsSubject.inbox(revocation.user)
            node.store.watch(subject)
            on.shard.schedule(at: on.now + RevokedSessions.watchedFor, on) { [node] _ in node.store.unwatch(subject) }
        }
        return revoked.add(ended.count, by: revocation)
    }

    /// Judges all sessions by the current keys, some in each turn.
    func judgeAgain(_ on: borrowing OnShard) {
        if judging.begin() { judgeNext(on) }
    }

    private func judgeNext(_ on: borrowing OnShard) {
        guard let page = judging.step(of: on.shard.connectionPages(on)) else { return }
        let keys = node.authenticator.keys
        for session in Self.sessions(among: on.shard.connections(inPage: page, on)) { session.judge(by: keys, on) }
        on.shard.atEndOfNextTurn(on) { [self] on in judgeNext(on) }
    }

    /// Ends subscriptions whose feeds began or ceased to keep items with the new catalogs: their places are invalid.
    func catalogsChanged(_ on: borrowing OnShard) {
        deliverNews(on)
        for roster in rosters.values where roster.keepsItems != FeedGate.keepsItems(ofKey: roster.feed, node) {
            for session in roster.sessions { session.feedChanged(roster, on) }
        }
    }

    // MARK: Delivery

    /// Encodes and compresses each change once for all of the user's sessions here, and each item once for all
    /// subscribers.
    ///
    /// Items go out at the end of the turn, together with those of other commits: several publications to many then
    /// cost hardly more than one.
    func deliver(_ commit: Commit, _ on: borrowing OnShard) {
        // Before the departures, and so before this commit's items: these may have come after a departure.
        if !commit.departures.isEmpty { deliverNews(on) }
        for departure in commit.departures {
            for session in sessions(of: departure.user) { session.left(departure.topic, on) }
        }
        // An event's items are there before its people hear of it, and a feed's items keep their order.
        let itemsFirst = commit.feeds.contains(where: \.isOfEvent)
        if itemsFirst {
            take(commit.feeds, on)
            deliverNews(on)
        }
        // By index: most people have no session here, and a copy of a delivery would count references to all its parts.
        for place in commit.inboxes.indices {
            var frame: OutgoingMessage?
            var isTold = false
            sessions.forEach(of: commit.inboxes[place].user) { session in
                let message =
                    frame
                    ?? OutgoingMessage(text: LiveFrames.frame(for: commit.inboxes[place].change, isReplay: false))
                frame = message
                session.pushes.committed(mayBePushed: commit.inboxes[place].mayBePushed)
                if session.deliver(commit.inboxes[place].change.stamp, message, on) { isTold = true }
            }
            if isTold { traces?.told(commit.inboxes[place].change, to: commit.inboxes[place].user) }
        }
        for delivery in commit.settings {
            let sessions = sessions(of: delivery.user)
            guard !sessions.isEmpty else { continue }
            let frame = OutgoingMessage(text: ServerFrame.prefs(delivery.json))
            for session in sessions { session.deliver(settings: frame, on) }
        }
        if !itemsFirst { take(commit.feeds, on) }
    }

    private func take(_ deliveries: [Commit.FeedDelivery], _ on: borrowing OnShard) {
        for delivery in deliveries {
            guard let roster = rosters[ExactText(delivery.item.feed)],
                // After a reload, items on their way may be of the other kind, whose offsets mean nothing here.
                roster.keepsItems != node.liveOnlyFeeds.hold(delivery.position)
            else { continue }
            if !roster.hasNews { news.append(roster) }
            roster.append(delivery.item, at: delivery.position.offset, on.now)
            guard !isTurnAwaited else { continue }
            isTurnAwaited = true
            on.shard.atEndOfTurn(on) { [self] on in deliverNewsOfThisTurn(on) }
        }
    }

    /// If telling all members takes longer than a commit, a roster waits for items that are about to come. Otherwise
    /// the walk would hold these up, and go to each member once more.
    private func deliverNewsOfThisTurn(_ on: borrowing OnShard) {
        isTurnAwaited = false
        let all = news
        news = []
        for roster in all {
            if roster.waitsForMore(node.feedPublications, at: on.now) {
                news.append(roster)
            } else {
                deliver(roster, on)
            }
        }
        queuedBytes = 0
        if news.contains(where: { !$0.keepsItems }) {
            isTurnAwaited = true
            on.shard.atEndOfNextTurn(on) { [self] on in deliverNewsOfThisTurn(on) }
        }
        guard !isDeliveryScheduled, news.contains(where: \.keepsItems) else { return }
        isDeliveryScheduled = true
        // Delivers them even if the awaited items never come.
        on.shard.schedule(at: on.now + FeedPace.longestWait, on) { [weak self] on in
            self?.isDeliveryScheduled = false
            self?.deliverNews(on)
            self?.queuedBytes = 0
        }
    }

    /// Delivers all waiting items.
    private func deliverNews(_ on: borrowing OnShard) {
        let all = news
        news = []
        for roster in all { deliver(roster, on) }
    }

    /// Flushes once the queued bytes may exceed a reader's limit. Until then slow readers do not show, and a session
    /// may have many feeds.
    private func deliver(_ roster: FeedRoster, _ on: borrowing OnShard) {
        queuedBytes += roster.waitingBytes
        if queuedBytes > maximumQueuedBytes {
            on.shard.flush(on)
            queuedBytes = roster.waitingBytes
        }
        node.metrics.framesOut.add(roster.deliver(deflateSettings, on))
    }

    // MARK: Leaving

    /// Tells each session at once when to come back, and closes it at that moment.
    ///
    /// - Parameter slots: as many as there were sessions when they were counted.
    func drain(_ slots: [Duration], _ on: borrowing OnShard) {
        isLeaving = true
        guard let last = slots.last else { return }
        for (index, session) in all(on).enumerated() {
            let slot = index < slots.count ? slots[index] : last
            session.send(ServerFrame.drain(reconnectIn: slot), on)
            departures.append(Departure(session: session, moment: on.now + slot))
        }
        departures.sort { $0.moment > $1.moment }
        closeDue(on)
    }

    /// All open sessions: those before their hello are in no table, but must hear of a drain, too.
    private func all(_ on: borrowing OnShard) -> [LiveSession] {
        Self.sessions(among: on.shard.connections(on))
    }

    private static func sessions(among connections: [Connection]) -> [LiveSession] {
        connections.compactMap { connection in
            (connection.handler as? WebSocketConnection)?.handler as? LiveSession
        }
    }

    private func closeDue(_ on: borrowing OnShard) {
        while let next = departures.last, next.moment <= on.now {
            departures.removeLast()
            next.session.close(.drain, on)
        }
        guard let next = departures.last else { return }
        on.shard.schedule(at: next.moment, on) { [weak self] on in self?.closeDue(on) }
    }

    /// Closes all sessions that are left.
    func closeAll(_ on: borrowing OnShard) {
        departures = []
        for session in all(on) { session.close(.drain, on) }
    }
}

extension LiveSession: Keyed {
    /// The user that the session was verified as; set while it is in the table.
    var key: UserID {
        guard let user else { preconditionFailure("only who has said hello is in the table") }
        return user
    }

    /// False for every user once the session has left.
    func has(_ key: UserID) -> Bool { user == key }
}
