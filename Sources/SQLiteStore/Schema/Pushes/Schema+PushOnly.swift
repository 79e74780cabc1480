extension Schema {
    /// Push-only notifications, which never stand in an inbox. Their numbers are ``PushOnlyNumber``s, which no `seq`
    /// reaches. To the queue of pushes they are notifications like all others, and no reader of an inbox can meet one.
    ///
    /// They go when `stored_at` is older than the trail and no push of one waits.
    static let pushOnly = """
        CREATE TABLE push_only (
            inbox INTEGER NOT NULL,
            id INTEGER NOT NULL,
            content INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            stored_at INTEGER NOT NULL,
            rev INTEGER NOT NULL,
            batch_key TEXT,
            PRIMARY KEY (inbox, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX push_only_batch ON push_only (inbox, batch_key) WHERE batch_key IS NOT NULL;
        CREATE INDEX push_only_age ON push_only (stored_at);
        """
}
