extension Schema {
    /// Webhooks for endpoints. `due` is the time of the next try. Of one that was handed out it is the end of the
    /// lease. A dead letter has `buried_at` in its place.
    static let webhooks = """
        CREATE TABLE webhook (
            id TEXT NOT NULL PRIMARY KEY,
            endpoint TEXT NOT NULL,
            inbox INTEGER NOT NULL,
            due INTEGER,
            buried_at INTEGER,
            failures INTEGER NOT NULL,
            reason TEXT,
            body BLOB NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX webhook_due ON webhook (endpoint, due) WHERE due IS NOT NULL;
        CREATE INDEX webhook_dead ON webhook (endpoint, buried_at) WHERE buried_at IS NOT NULL;
        CREATE INDEX webhook_inbox ON webhook (inbox);
        """
}
