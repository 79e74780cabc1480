import Inbox
import Store
import Transport
import WireProtocol

/// The feeds that a session subscribes to.
extension LiveSession {
    private static let maximumFeeds = 64
    /// So much of a feed's missed items is sent at most, and while as much waits, those of no other feed.
    private static let maximumCatchUpBytes = 1 << 20

    func subscribe(
        to feed: String, after: ResumePoint?, tags: [String], _ id: String?, _ on: borrowing OnShard
    ) {
        guard FeedName.mayBeKnown(feed) else {
            return refuse(id, .invalidValue, "feed: expected \(FeedName.expectation)", on)
        }
        guard tags.count <= FeedReading.maximumTags else {
            return refuse(id, .invalidValue, "tags: \(FeedReading.tagsExpectation)", on)
        }
        guard memberships.count < Self.maximumFeeds else {
            return refuse(id, .tooManyFeeds, on)
        }
        guard let webSocket, let user else { return confirm(id, on) }
        let key = user.app.key(feed)
        guard !memberships.contains(where: { $0.isOf(key) }) else { return confirm(id, on) }
        guard let pass = FeedGate(node: node, app: user.app).pass(to: feed, for: user, with: feedClaims) else {
            return refuse(id, .feedRefused, on)
        }
        let catchUp = live.nextCatchUp()
        let membership = FeedMembership(
            roster: live.roster(of: key), webSocket: webSocket,
            subscription: FeedSubscription(catchUp: catchUp, maximumQueuedBytes: live.maximumQueuedBytes), tags: tags,
            pass: pass)
        // Before the store is asked, so that no departure from the topic is missed from here on.
        membership.roster.add(membership, on)
        memberships.append(membership)
        let place = after.map { FeedPosition(epoch: $0.epoch ?? "", offset: $0.offset) }
        // A client that missed more fetches it over REST.
        let query = FeedQuery(place.map { .newestAfter($0) } ?? .head, tags: tags, limit: FeedReading.maximumItems)
        if membership.roster.keepsItems || pass != .open {
            load(catchUp, of: key, query, with: pass, id, webSocket.reference(on))
        } else {
            caughtUp(catchUp, query, .success(node.liveOnlyFeeds.page(for: query)), id, on)
        }
    }

    private func load(
        _ number: Int, of feed: String, _ query: FeedQuery, with pass: FeedPass, _ id: String?,
        _ reference: WebSocketReference
    ) {
        node.store.items(of: feed, query, with: pass) { result in
            reference.post { handler, on in (handler as? LiveSession)?.caughtUp(number, query, result, id, on) }
        }
    }

    private func caughtUp(
        _ number: Int, _ query: FeedQuery, _ result: Result<FeedPage?, StoreError>, _ id: String?,
        _ on: borrowing OnShard
    ) {
        // A catch-up for a subscription that ended meanwhile does not fit the next one, which began at another moment.
        guard let membership = memberships.first(where: { $0.subscription.awaits(catchUp: number) }) else {
            return confirm(id, on)
        }
        let (feed, name) = (membership.roster.feed, membership.roster.name)
        switch result {
        case .failure(let error):
            unsubscribe(fromKey: feed, nil, on)
            refuse(id, error.liveCode, "the feed could not be read; try again", on)
        case .success(nil):
            unsubscribe(fromKey: feed, nil, on)
            refuse(id, .feedRefused, on)
        case .success(let stored?):
            // If the feed needs a topic, the store has confirmed the membership.
            let page = membership.roster.keepsItems ? stored : node.liveOnlyFeeds.page(for: query)
            let after: Int64? = if case .newestAfter(let place) = query.start { place.offset } else { nil }
            let recovered = after != nil && page.isRecovered
            let hasRoom = (webSocket?.backlog ?? 0) < Self.maximumCatchUpBytes
            confirm(id, on)
            answer(ServerFrame.feed(name, epoch: page.head.epoch, offset: page.head.offset, isRecovered: recovered), on)
            if hasRoom || page.items.isEmpty {
                send(page, of: name, after: recovered ? after : nil, on)
                for frame in membership.subscription.loaded(head: page.head.offset) { send(frame, on) }
            } else {
                let first = (recovered ? after.map { $0 + 1 } : nil) ?? page.items[0].offset
                membership.subscription.leaveOut(from: first, upTo: page.head.offset)
            }
            catchUp(on)
        }
    }

    /// Sends missed items, the newest if they are too many.
    ///
    /// - Parameter after: the reader's place; nil if it is not known, and the reader forgets what it has.
    private func send(_ page: FeedPage, of name: String, after: Int64?, _ on: borrowing OnShard) {
        let missed = page.newest(maximumBytes: Self.maximumCatchUpBytes)
        if let after, let first = missed.first, page.hasOlder || missed.count < page.items.count {
            send(ServerFrame.gap(feed: name, from: after + 1, to: first.offset - 1), on)
        }
        for item in missed {
            send(LiveFrames.item(item.json, of: name, offset: item.offset, item.change, id: item.id), on)
        }
    }

    func unsubscribe(from feed: String, _ id: String?, _ on: borrowing OnShard) {
        guard let user else { return confirm(id, on) }
        unsubscribe(fromKey: user.app.key(feed), id, on)
    }

    private func unsubscribe(fromKey feed: String, _ id: String?, _ on: borrowing OnShard) {
        if let index = memberships.firstIndex(where: { $0.isOf(feed) }) {
            live.leave(memberships.remove(at: index))
        }
        confirm(id, on)
    }

    // MARK: Access

    /// Checks all subscriptions again, as a new token may have other claims.
    func renewFeeds(with credentials: Credentials, _ on: borrowing OnShard) {
        let gate = FeedGate(node: node, app: credentials.user.app)
        feedClaims = gate.claims(of: credentials)
        endMemberships(.feedRefused, on) { membership in
            switch gate.pass(to: membership.roster.name, for: credentials.user, with: feedClaims) {
            case nil: true
            case .open: false
            // The rules have changed since: the user's membership in that topic was never checked.
            case let pass?: pass != membership.pass
            }
        }
    }

    /// Ends the subscriptions that need a topic which the user has left.
    func left(_ topic: String, _ on: borrowing OnShard) {
        endMemberships(.feedRefused, on) { membership in
            if case .member(_, let needed) = membership.pass { ExactText(needed) == ExactText(topic) } else { false }
        }
    }

    /// Ends subscriptions of a feed that now keeps its items, or no longer does: its old offsets mean nothing.
    func feedChanged(_ roster: FeedRoster, _ on: borrowing OnShard) {
        endMemberships(.feedChanged, on) { $0.roster === roster }
    }

    private func endMemberships(_ code: LiveErrorCode, _ on: borrowing OnShard, where isOver: (FeedMembership) -> Bool)
    {
        for membership in memberships.filter(isOver) {
            memberships.removeAll { $0 === membership }
            live.leave(membership)
            send(ServerFrame.unsubscribed(feed: membership.roster.name, code: code), on)
        }
    }
}
