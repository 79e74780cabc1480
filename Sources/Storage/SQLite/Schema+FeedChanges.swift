extension Schema {
    /// What has become of items: each change has an offset of its own in its feed, where no row of `feed_item` stands.
    /// An item that was replaced says so in its own row, and one that was removed has none any more.
    ///
    /// `feed.trimmed`: changes up to here may be gone, so that a place before it is not known. Items may be older.
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
