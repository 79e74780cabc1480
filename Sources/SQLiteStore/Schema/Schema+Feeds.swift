extension Schema {
    /// Feeds' knowledge of their items, and how far people have viewed them.
    ///
    /// `feed.newest_at`, `author`, `other` and `other_at` were the feed's `FeedTip`, until its items held it
    /// (`feedTips`). `feed_item.published_at` rises with `offset`; the items of an older store are changed accordingly.
    /// Each gets the least stamp that is not before its own and is after its predecessor's. `feed_tag_offset` serves
    /// trimming.
    static let feedsTables = """
        ALTER TABLE feed ADD COLUMN newest_at INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE feed ADD COLUMN author TEXT;
        ALTER TABLE feed ADD COLUMN other INTEGER;
        ALTER TABLE feed ADD COLUMN other_at INTEGER;
        ALTER TABLE feed_item ADD COLUMN item_id TEXT;

        UPDATE feed_item SET published_at = stamp.moment FROM (
            SELECT feed, offset,
                offset + max(published_at - offset) OVER (PARTITION BY feed ORDER BY offset) AS moment
            FROM feed_item
        ) AS stamp WHERE stamp.feed = feed_item.feed AND stamp.offset = feed_item.offset;
        UPDATE feed SET newest_at =
            coalesce((SELECT max(published_at) FROM feed_item WHERE feed_item.feed = feed.id), 0);

        CREATE UNIQUE INDEX feed_item_id ON feed_item (feed, item_id) WHERE item_id IS NOT NULL;
        CREATE UNIQUE INDEX feed_item_time ON feed_item (feed, published_at);

        CREATE TABLE feed_tag (
            feed INTEGER NOT NULL,
            tag TEXT NOT NULL,
            offset INTEGER NOT NULL,
            PRIMARY KEY (feed, tag, offset)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX feed_tag_offset ON feed_tag (feed, offset);

        CREATE TABLE feed_mark (
            inbox INTEGER NOT NULL,
            feed INTEGER NOT NULL,
            viewed INTEGER NOT NULL,
            PRIMARY KEY (inbox, feed)
        ) STRICT, WITHOUT ROWID;
        """
}
