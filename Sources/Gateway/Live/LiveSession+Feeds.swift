import Inbox
import Storage
import Transport
import WireProtocol

/// The feeds to which a session subscribes.
extension LiveSession {
    private static let maximumFeeds = 64
    /// A client that missed more fetches it over REST.
    private static let maximumCatchUp = 500
    private static let maximumTags = 20

    func subscribe(
        to feed: String, after: WireProtocol.FeedPosition?, tags: [String], _ id: String?, _ on: borrowing OnShard
    ) {
        guard FeedName.mayBeKnown(feed) else {
            return refuse(id, code: "invalid_value", "feed: expected \(FeedName.expectation)", on)
        }
        guard tags.count <= Self.maximumTags else {
            return refuse(id, code: "invalid_value", "tags: expected at most \(Self.maximumTags)", on)
        }
        guard memberships.count < Self.maximumFeeds else {
            return refuse(id, code: "too_many_feeds", "unsubscribe from a feed first", on)
        }
        guard !memberships.contains(where: { $0.isOf(feed) }), let webSocket, let user else {
            return confirm(id, on)
        }
        guard let pass = FeedGate(node: node).pass(to: feed, for: user, with: feedClaims) else {
            return refuseFeed(id, on)
        }
        let catchUp = live.nextCatchUp()
        let membership = FeedMembership(
            roster: live.roster(of: feed), webSocket: webSocket,
            subscription: FeedSubscription(catchUp: catchUp, maximumQueuedBytes: live.maximumQueuedBytes), tags: tags,
            pass: pass)
        // Before the store is asked: whoever leaves the topic from here on is heard of.
        membership.roster.add(membership, on)
        memberships.append(membership)
        let place = after.map { Storage.FeedPosition(epoch: $0.epoch ?? "", offset: $0.offset) }
        let query = FeedQuery(place.map { .newestAfter($0) } ?? .head, tags: tags, limit: Self.maximumCatchUp)
        if membership.roster.keepsItems || pass != .open {
            load(catchUp, of: feed, query, with: pass, id, webSocket.reference(on))
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
        // What was read for a subscription that ended meanwhile is not for the next one, which began at another moment.
        guard let membership = memberships.first(where: { $0.subscription.awaits(catchUp: number) }) else {
            return confirm(id, on)
        }
        let feed = membership.roster.feed
        switch result {
        case .failure(let error):
            unsubscribe(from: feed, nil, on)
            refuse(id, code: error.code, "the feed could not be read; try again", isTemporary: true, on)
        case .success(nil):
            unsubscribe(from: feed, nil, on)
            refuseFeed(id, on)
        case .success(let stored?):
            // The store has said that the user is in the topic, if the feed needs that.
            let page = membership.roster.keepsItems ? stored : node.liveOnlyFeeds.page(for: query)
            confirm(id, on)
            let after: Int64? = if case .newestAfter(let place) = query.start { place.offset } else { nil }
            let recovered = after != nil && page.isRecovered
            send(ServerFrame.feed(feed, epoch: page.head.epoch, offset: page.head.offset, isRecovered: recovered), on)
            if recovered, page.hasOlder, let after, let first = page.items.first {
                send(ServerFrame.gap(feed: feed, from: after + 1, to: first.offset - 1), on)
            }
            for item in page.items {
                send(LiveFrames.item(item.json, of: feed, offset: item.offset, item.change, id: item.id), on)
            }
            for frame in membership.subscription.loaded(head: page.head.offset) { send(frame, on) }
            catchUp(on)
        }
    }

    func unsubscribe(from feed: String, _ id: String?, _ on: borrowing OnShard) {
        if let index = memberships.firstIndex(where: { $0.isOf(feed) }) {
            live.leave(memberships.remove(at: index))
        }
        confirm(id, on)
    }

    // MARK: Access

    private func refuseFeed(_ id: String?, _ on: borrowing OnShard) {
        refuse(id, code: Problem.feedRefused.code, Problem.feedRefused.detail, on)
    }

    /// A new token may say other things about feeds.
    func renewFeeds(with credentials: Credentials, _ on: borrowing OnShard) {
        let gate = FeedGate(node: node)
        feedClaims = gate.claims(of: credentials)
        endMemberships(Problem.feedRefused.code, on) { membership in
            switch gate.pass(to: membership.roster.feed, for: credentials.user, with: feedClaims) {
            case nil: true
            case .open: false
            // The rules have changed since: whether the user is in that topic was never asked.
            case let pass?: pass != membership.pass
            }
        }
    }

    /// The user is not in this topic any more, and what is for its members alone not for them.
    func left(_ topic: String, _ on: borrowing OnShard) {
        endMemberships(Problem.feedRefused.code, on) { membership in
            if case .member(_, let needed) = membership.pass { ExactText(needed) == ExactText(topic) } else { false }
        }
    }

    /// The feed does not keep its items any more, or keeps them from now on: its places are others.
    func feedChanged(_ roster: FeedRoster, _ on: borrowing OnShard) {
        endMemberships("feed_changed", on) { $0.roster === roster }
    }

    private func endMemberships(_ code: String, _ on: borrowing OnShard, where isOver: (FeedMembership) -> Bool) {
        for membership in memberships.filter(isOver) {
            memberships.removeAll { $0 === membership }
            live.leave(membership)
            send(ServerFrame.unsubscribed(feed: membership.roster.feed, code: code), on)
        }
    }
}
