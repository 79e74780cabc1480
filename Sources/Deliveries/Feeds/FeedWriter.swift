package import Inbox
package import Store

/// Appends to feeds, changes their items, and moves marks.
package struct FeedWriter {
    package let open: OpenTransaction
    /// Whether an event publishes the items: its recipients hear of the items first.
    package var isOfEvent = false

    package func append(_ publication: FeedPublication) throws -> [FeedReceipt] {
        var feed = try open.feed(named: publication.feed)
        var receipts: [FeedReceipt] = []
        for item in publication.items {
            receipts.append(
                try append(item, to: &feed, length: Int64(publication.length), at: publication.now))
        }
        open.keep(feed, named: publication.feed)
        return receipts
    }

    /// - Parameter feed: the caller keeps it.
    package func append(
        _ new: FeedItem, to feed: inout FeedRecord, length: Int64, at now: Timestamp
    ) throws -> FeedReceipt {
        var item = new
        if let id = item.id, let known = try open.feedChanges.item(id, in: feed) {
            item.stamp(known.place.time)
            return receipt(known.place, in: feed, isNew: false, differs: item.json != known.json)
        }
        let place = feed.next(at: now)
        item.stamp(place.time)
        feed.tip.append(place, by: item.author)
        try open.feeds.append(item, at: place, to: feed)
        open.tell(item, at: feed.position, isOfEvent: isOfEvent)
        try open.feeds.trim(&feed, length: length)
        return receipt(place, in: feed, isNew: true)
    }

    // MARK: Changing

    /// Replaces the item of the same id; nil if the feed has none. The item keeps its offset, time and author. The
    /// change has an offset of its own, by which subscribers hear of it.
    package func replace(_ publication: FeedPublication) throws -> FeedReceipt? {
        guard var feed = try open.knownFeed(named: publication.feed), var item = publication.items.first,
            let id = item.id, let known = try open.feedChanges.item(id, in: feed)
        else { return nil }
        item.stamp(known.place.time)
        let change = FeedChange.replaces(known.place.offset)
        if item.json == known.json {
            return receipt(known.place, in: feed, isNew: false, change: change)
        }
        let tags = try open.feedChanges.tags(at: known.place.offset, in: feed)
        try open.feedChanges.write(item.json, at: known.place.offset, of: feed)
        try open.feedChanges.deleteTags(at: known.place.offset, of: feed)
        try open.feeds.insert(tags: item.tags, offset: known.place.offset, of: feed)
        item.change = change
        let place = feed.next(at: publication.now)
        return try tell(item.joining(tags: tags), change, at: place, in: &feed, publication)
    }

    /// Removes the item with this id; nil if the feed has none.
    package func remove(_ id: String, from publication: FeedPublication) throws -> FeedReceipt? {
        guard var feed = try open.knownFeed(named: publication.feed),
            let known = try open.feedChanges.item(id, in: feed)
        else { return nil }
        let tags = try open.feedChanges.tags(at: known.place.offset, in: feed)
        let item = FeedItem.removal(of: id, at: known.place.offset, from: publication.feed, tags: tags)
        return try remove(item, from: known.place.offset, in: &feed, publication)
    }

    /// Takes back an item that an event has published; false if it is gone.
    package func remove(_ offset: Int64, from name: String, at now: Timestamp) throws -> Bool {
        guard var feed = try open.knownFeed(named: name), let id = try open.feedChanges.id(at: offset, in: feed) else {
            return false
        }
        let tags = try open.feedChanges.tags(at: offset, in: feed)
        let item = FeedItem.removal(of: id, at: offset, from: name, tags: tags)
        // The catalogs may no longer define the feed's length: the next item trims it.
        let publication = FeedPublication(feed: name, items: [], length: .max, now: now)
        _ = try remove(item, from: offset, in: &feed, publication)
        return true
    }

    private func remove(
        _ item: FeedItem, from offset: Int64, in feed: inout FeedRecord, _ publication: FeedPublication
    ) throws -> FeedReceipt {
        // Taken before the removal: the newest item may go, and its offset must not be used again.
        let place = feed.next(at: publication.now)
        try open.feedChanges.remove(offset, from: &feed)
        return try tell(item, .removes(offset), at: place, in: &feed, publication)
    }

    private func tell(
        _ item: FeedItem, _ change: FeedChange, at place: FeedTip.Place, in feed: inout FeedRecord,
        _ publication: FeedPublication
    ) throws -> FeedReceipt {
        try open.feedChanges.append(change, by: item, at: place, to: feed)
        feed.change = place
        open.tell(item, at: feed.position, isOfEvent: isOfEvent)
        try open.feeds.trim(&feed, length: Int64(publication.length))
        open.keep(feed, named: publication.feed)
        return receipt(place, in: feed, isNew: true, change: change)
    }

    private func receipt(
        _ place: FeedTip.Place, in feed: FeedRecord, isNew: Bool, differs: Bool = false, change: FeedChange? = nil
    ) -> FeedReceipt {
        FeedReceipt(
            position: FeedPosition(epoch: feed.epoch, offset: place.offset), publishedAt: place.time, isNew: isNew,
            differs: differs, change: change)
    }

    /// An unknown feed has nothing to see, and gets no mark.
    package func markViewed(_ name: String, upTo place: FeedMark.Place, by user: UserID) throws -> FeedMark {
        guard let feed = try open.knownFeed(named: name) else {
            return FeedMark(viewed: 0, head: try open.feeds.beginning(of: name), newer: 0)
        }
        let head = feed.position.offset
        let offset =
            switch place {
            case .head: head
            // Items of another epoch were others, so the user has seen none of these. A mark ahead of the feed would
            // hide items to come.
            case .position(let position): position.epoch == feed.epoch ? min(max(0, position.offset), head) : 0
            case .time(let time): try open.feeds.lastOffset(upTo: time, in: feed) ?? 0
            }
        let viewed = try open.feedMarks.mark(offset, feed: feed.id, inbox: open.inbox(of: user).id)
        return FeedMark(viewed: viewed, head: feed.position, newer: try open.feeds.newer(than: viewed, in: feed))
    }

    package init(open: OpenTransaction, isOfEvent: Bool = false) {
        (self.open, self.isOfEvent) = (open, isOfEvent)
    }
}
