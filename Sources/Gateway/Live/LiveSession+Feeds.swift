import Storage
import Transport
import WireProtocol

/// The feeds to which a session subscribes.
extension LiveSession {
    private static let maximumFeeds = 64
    /// A client that missed more fetches it over REST.
    private static let maximumCatchUp = 500

    func subscribe(
        to feed: String, after: WireProtocol.FeedPosition?, _ id: String?, _ on: borrowing OnShard
    ) {
        guard FeedName.isValid(feed) else {
            return refuse(id, code: "invalid_value", "feed: \(FeedName.expectation)", on)
        }
        guard memberships.count < Self.maximumFeeds else {
            return refuse(id, code: "too_many_feeds", "unsubscribe from a feed first", on)
        }
        guard !memberships.contains(where: { $0.isOf(feed) }), let webSocket else {
            return confirm(id, on)
        }
        let reference = webSocket.reference
        subscriptionCount += 1
        let number = subscriptionCount
        let membership = FeedMembership(
            roster: live.roster(of: feed), webSocket: webSocket,
            subscription: FeedSubscription(maximumQueuedBytes: node.settings.limits.queuedBytes), number: number)
        membership.roster.add(membership)
        memberships.append(membership)
        let position = after.map { Storage.FeedPosition(epoch: $0.epoch ?? "", offset: $0.offset) }
        node.store.items(of: feed, after: position, limit: Self.maximumCatchUp) { result in
            reference.post { handler, on in
                (handler as? LiveSession)?.caughtUp(number, result, didAsk: position != nil, id, on)
            }
        }
    }

    private func caughtUp(
        _ number: Int, _ result: Result<FeedPage, StoreError>, didAsk: Bool, _ id: String?, _ on: borrowing OnShard
    ) {
        // What was read for a subscription that ended meanwhile is not for the next one, which began at another moment.
        guard let membership = memberships.first(where: { $0.number == number }) else { return confirm(id, on) }
        let feed = membership.roster.feed
        switch result {
        case .failure(let error):
            unsubscribe(from: feed, nil, on)
            refuse(id, code: error.code, "the feed could not be read; try again", isTemporary: true, on)
        case .success(let page):
            confirm(id, on)
            let recovered = didAsk && page.isComplete
            send(ServerFrame.feed(feed, epoch: page.head.epoch, offset: page.head.offset, isRecovered: recovered), on)
            for item in page.items { send(LiveFrames.item(item.json, of: feed, offset: item.offset), on) }
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
}
