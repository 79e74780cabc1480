extension Schema {
    /// Events that are delivered page by page.
    ///
    /// `broadcast`: `json` is the event without its recipients, NULL once all have it. `everybody` names the recipient
    /// list of everybody else: the inboxes behind `after_inbox`, up to `last_inbox`. `problem` says why it ended early.
    /// `broadcast_page` holds the recipients of other lists, a row a page, until they have it. `broadcast_known` names
    /// the inboxes that no later page may reach again; only broadcasts to everybody have such rows.
    static let broadcastsTables = """
        CREATE TABLE broadcast (
            id INTEGER PRIMARY KEY,
            event TEXT NOT NULL UNIQUE,
            publisher TEXT NOT NULL,
            key TEXT,
            json BLOB,
            everybody TEXT,
            after_inbox INTEGER NOT NULL,
            last_inbox INTEGER NOT NULL,
            total INTEGER NOT NULL,
            created INTEGER NOT NULL,
            updated INTEGER NOT NULL,
            suppressed INTEGER NOT NULL,
            accepted_at INTEGER NOT NULL,
            ended_at INTEGER,
            problem TEXT
        ) STRICT;
        CREATE INDEX broadcast_end ON broadcast (ended_at);

        CREATE TABLE broadcast_page (
            id INTEGER PRIMARY KEY,
            broadcast INTEGER NOT NULL,
            recipients BLOB NOT NULL
        ) STRICT;
        CREATE INDEX broadcast_page_of ON broadcast_page (broadcast);

        CREATE TABLE broadcast_known (
            broadcast INTEGER NOT NULL,
            inbox INTEGER NOT NULL,
            PRIMARY KEY (broadcast, inbox)
        ) STRICT, WITHOUT ROWID;
        """
}
