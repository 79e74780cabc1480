extension Schema {
    /// Changes of items: each has an offset of its own in its feed, at which `feed_item` has no row. A replaced item's
    /// own row has the new content, and a removed one has no row.
    ///
    /// `feed.trimmed`: changes up to this offset may be gone, so a place before it is unknown. Items may be older.
    static let feedChanges = """
        CREATE TABLE feed_change (
            feed INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            published_at INTEGER NOT NULL,
            target INTEGER NOT NULL,
            is_removal INTEGER NOT NULL,
            item_id TEXT NOT NULL,
            tags TEXT NOT NULL,
            PRIMARY KEY (feed, offset)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX feed_change_target ON feed_change (feed, target, offset);

        ALTER TABLE feed ADD COLUMN trimmed INTEGER NOT NULL DEFAULT 0;
        UPDATE feed SET trimmed = coalesce((SELECT min(offset) - 1 FROM feed_item WHERE feed_item.feed = feed.id), 0);
        """
}
