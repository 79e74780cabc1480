extension Schema {
    /// An item's row holds the feed's `FeedTip` as of that item. So an item takes one row, and without an id or tags
    /// one page: `feed` is written once, when the feed begins.
    ///
    /// `author` is the item's own; `other` and `other_at` are the newest earlier item by another author. The JSON,
    /// which may be long, comes last, so that the columns before it are read without it. `published_at` rises with
    /// `offset`, so finding a moment takes no index.
    static let feedTips = """
        ALTER TABLE feed_item RENAME TO feed_item_before;
        CREATE TABLE feed_item (
            feed INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            published_at INTEGER NOT NULL,
            author TEXT,
            other INTEGER,
            other_at INTEGER,
            item_id TEXT,
            json BLOB NOT NULL,
            PRIMARY KEY (feed, offset)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO feed_item (feed, offset, published_at, item_id, json)
            SELECT feed, offset, published_at, item_id, json FROM feed_item_before ORDER BY feed, offset;
        DROP TABLE feed_item_before;
        CREATE UNIQUE INDEX feed_item_id ON feed_item (feed, item_id) WHERE item_id IS NOT NULL;

        UPDATE feed_item SET author = feed.author, other = feed.other, other_at = feed.other_at
            FROM feed WHERE feed.id = feed_item.feed AND feed.head = feed_item.offset;
        ALTER TABLE feed DROP COLUMN head;
        ALTER TABLE feed DROP COLUMN newest_at;
        ALTER TABLE feed DROP COLUMN author;
        ALTER TABLE feed DROP COLUMN other;
        ALTER TABLE feed DROP COLUMN other_at;
        """
}
