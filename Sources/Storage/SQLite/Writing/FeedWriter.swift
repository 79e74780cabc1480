import Inbox

/// Appends to feeds, and moves marks.
struct FeedWriter {
    let open: OpenTransaction

    func append(_ publication: FeedPublication) throws -> [FeedReceipt] {
        var feed = try open.feed(named: publication.feed)
        var receipts: [FeedReceipt] = []
        for var item in publication.items {
            if let id = item.id, let place = try open.feeds.place(ofItem: id, in: feed) {
                receipts.append(receipt(place, in: feed, isNew: false))
                continue
            }
            let place = FeedTip.Place(
                offset: feed.position.offset + 1, time: feed.tip.nextStamp(at: publication.now))
            item.stamp(place.time)
            feed.tip.append(place, by: item.author)
            try open.feeds.append(item, at: place, to: feed, length: Int64(publication.length))
            open.tell(item, at: feed.position)
            receipts.append(receipt(place, in: feed, isNew: true))
        }
        open.keep(feed, named: publication.feed)
        return receipts
    }

    private func receipt(_ place: FeedTip.Place, in feed: FeedRecord, isNew: Bool) -> FeedReceipt {
        FeedReceipt(
            position: FeedPosition(epoch: feed.epoch, offset: place.offset), publishedAt: place.time, isNew: isNew)
    }

    /// A feed without items has nothing to be seen, and no mark.
    func markViewed(_ name: String, upTo place: FeedMark.Place, by user: UserID) throws -> FeedMark {
        guard let feed = try open.knownFeed(named: name) else {
            return FeedMark(viewed: 0, head: FeedPosition(epoch: "", offset: 0))
        }
        let head = feed.position.offset
        let offset =
            switch place {
            case .head: head
            // A mark ahead of the feed would hide items to come.
            case .offset(let offset): min(max(0, offset), head)
            case .time(let time): try open.feedReader.lastOffset(upTo: time, in: feed) ?? 0
            }
        let viewed = try open.feedMarks.mark(offset, feed: feed.id, inbox: open.inbox(of: user).id)
        return FeedMark(viewed: viewed, head: feed.position)
    }
}
