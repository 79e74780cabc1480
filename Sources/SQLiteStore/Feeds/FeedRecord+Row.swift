import Deliveries
import Inbox

extension FeedRecord {
    /// Finds the feed whose name is the query's argument. An item's row holds the tip as of that item, so appending an
    /// item writes one row. Removing an item corrects the newest one's row.
    static let query = """
        SELECT feed.id, epoch, item.offset, item.published_at, author, other, other_at, changed.offset,
            changed.published_at, trimmed
        FROM feed
        LEFT JOIN feed_item AS item ON item.feed = feed.id
            AND item.offset = (SELECT max(offset) FROM feed_item WHERE feed = feed.id)
        LEFT JOIN feed_change AS changed ON changed.feed = feed.id
            AND changed.offset = (SELECT max(offset) FROM feed_change WHERE feed = feed.id)
        WHERE name = ?
        """

    /// - Parameter row: of the ``query``. A value without sense counts as the nearest that has some: times and offsets
    ///   only rise.
    init(_ row: StoredRow) {
        var row = CheckedRow(row)
        func place(_ column: Int) -> FeedTip.Place? {
            guard let offset = row.optionalCount(column) else { return nil }
            return FeedTip.Place(offset: offset, time: row.time(column + 1))
        }
        let (id, epoch) = (row.count(0), row.text(1))
        let tip = FeedTip(newest: place(2), author: row.optionalText(4), other: place(5))
        let change = place(7)
        let trimmed = min(row.count(9), max(tip.newest?.offset ?? 0, change?.offset ?? 0))
        self.init(id: id, epoch: epoch, tip: tip, change: change, trimmed: trimmed)
    }
}
