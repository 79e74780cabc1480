import Deliveries
import Inbox
import Store

/// Feeds, their changes, and how far people have viewed them.
final class MemoryFeeds: MemoryPart, FeedRows {
    func kept(_ feed: FeedRecord) -> MemoryState.Feed? { state.feeds.values.first { $0.id == feed.id } }

    func items(_ feed: FeedRecord) -> [MemoryState.Item] {
        (kept(feed)?.items.values ?? [:].values).sorted { $0.place.offset < $1.place.offset }
    }

    private func change(_ feed: FeedRecord, _ body: (inout MemoryState.Feed) -> Void) {
        for (name, var known) in state.feeds where known.id == feed.id {
            body(&known)
            state.feeds[name] = known
        }
    }

    func record(named name: String) -> FeedRecord? {
        guard let feed = state.feeds[ExactText(name)] else { return nil }
        let newest = feed.items.max { $0.key < $1.key }?.value
        let change = feed.changes.max { $0.key < $1.key }
            .map { FeedTip.Place(offset: $0.key, time: $0.value.time) }
        return FeedRecord(
            id: feed.id, epoch: feed.epoch,
            tip: FeedTip(newest: newest?.place, author: newest?.author, other: newest?.other), change: change,
            trimmed: min(feed.trimmed, max(newest?.place.offset ?? 0, change?.offset ?? 0)))
    }

    func firstEpoch(of name: String) -> String { memory.epoch + String(ListMark.of(name), radix: 36) }
    func beginning(of name: String) -> FeedPosition { FeedPosition(epoch: firstEpoch(of: name), offset: 0) }

    func lastOffset(upTo time: Timestamp, in feed: FeedRecord) -> Int64? {
        items(feed).last { $0.place.time <= time }?.place.offset
    }

    func countOfItems(after offset: Int64, upTo end: Int64, in feed: FeedRecord) -> Int64 {
        Int64(items(feed).count { $0.place.offset > offset && $0.place.offset <= end })
    }

    func countOfChanges(after offset: Int64, in feed: FeedRecord) -> (all: Int64, removals: Int64) {
        let changes = (kept(feed)?.changes ?? [:]).filter { $0.key > offset }
        let removals = changes.count { change in
            if case .removes(let target) = change.value.change { target > offset } else { false }
        }
        return (Int64(changes.count), Int64(removals))
    }

    func lastOffset(behind count: Int64, in feed: FeedRecord) -> Int64? {
        items(feed).dropLast(Int(clamping: count)).last?.place.offset
    }

    func create(_ name: String, epoch: String) -> FeedRecord {
        let id = (state.feeds.values.map(\.id).max() ?? 0) + 1
        state.feeds[ExactText(name)] = .init(id: id, epoch: epoch)
        return FeedRecord(id: id, epoch: epoch)
    }

    func append(_ item: FeedItem, at place: FeedTip.Place, to feed: FeedRecord) {
        change(feed) {
            $0.items[place.offset] = .init(
                place: place, id: item.id, author: feed.tip.author, other: feed.tip.other, json: item.json)
        }
        insert(tags: item.tags, offset: place.offset, of: feed)
    }

    func insert(tags: [String], offset: Int64, of feed: FeedRecord) {
        change(feed) { $0.items[offset]?.tags.formUnion(tags.map(ExactText.init)) }
    }

    func drop(itemsUpTo item: Int64, changesUpTo change: Int64, of feed: FeedRecord) {
        self.change(feed) { feed in
            feed.items = feed.items.filter { $0.key > item }
            feed.changes = feed.changes.filter { $0.key > change }
            feed.trimmed = change
        }
    }
}

extension MemoryFeeds: FeedChangeRows, FeedMarkRows {
    func item(_ id: String, in feed: FeedRecord) -> StoredItem? {
        items(feed).first { $0.id?.isExactly(id) ?? false }.map { StoredItem(place: $0.place, json: $0.json) }
    }

    func id(at offset: Int64, in feed: FeedRecord) -> String? {
        items(feed).first { $0.place.offset == offset }.map { $0.id ?? "" }
    }

    func tags(at offset: Int64, in feed: FeedRecord) -> [String] {
        items(feed).first { $0.place.offset == offset }?.tags.map(\.text).sorted() ?? []
    }

    func item(
        before offset: Int64, in feed: FeedRecord
    ) -> (place: FeedTip.Place, author: String?, other: FeedTip.Place?)? {
        items(feed).last { $0.place.offset < offset }.map { ($0.place, $0.author, $0.other) }
    }

    func append(_ change: FeedChange, by item: FeedItem, at place: FeedTip.Place, to feed: FeedRecord) {
        self.change(feed) { $0.changes[place.offset] = (place.time, change, item.id ?? "", item.tags) }
    }

    func write(_ json: [UInt8], at offset: Int64, of feed: FeedRecord) {
        change(feed) { $0.items[offset]?.json = json }
    }
    func deleteTags(at offset: Int64, of feed: FeedRecord) { change(feed) { $0.items[offset]?.tags = [] } }
    func delete(_ offset: Int64, from feed: FeedRecord) { change(feed) { $0.items[offset] = nil } }
    func write(other: FeedTip.Place?, at offset: Int64, of feed: FeedRecord) {
        change(feed) { $0.items[offset]?.other = other }
    }

    // MARK: Marks

    func mark(_ offset: Int64, feed id: Int64, inbox: Int64) -> Int64 {
        guard let name = state.feeds.first(where: { $0.value.id == id })?.key else { return offset }
        let viewed = max(offset, state.feeds[name]?.marks[inbox] ?? offset)
        state.feeds[name]?.marks[inbox] = viewed
        return viewed
    }

    func remove(inbox: Int64) -> Int {
        state.feeds.keys.count { state.feeds[$0]?.marks.removeValue(forKey: inbox) != nil }
    }
}
