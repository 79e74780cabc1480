import Inbox

/// Appends to feeds.
struct FeedWriter {
    let open: OpenTransaction

    func append(_ item: FeedItem) throws -> FeedPosition {
        var feed = try open.feed(named: item.feed)
        feed.head += 1
        try open.feeds.append(item, to: feed)
        open.keep(feed, named: item.feed)
        open.tell(item, at: feed.position)
        return feed.position
    }
}
