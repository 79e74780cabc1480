extension Schema {
    /// Webhooks for endpoints. `due` is when the next try is due, or when the lease of one that was handed out ends; it
    /// is null for a dead letter, which has `buried_at`.
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
