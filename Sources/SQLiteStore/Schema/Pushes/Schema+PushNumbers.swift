extension Schema {
    /// One number identifies a row of `push_job`, a ``PushJobNumber``, instead of two: every push looks up its row
    /// three times.
    ///
    /// SQLite cannot change a table's key, so the table is written anew. The index of waiting jobs ends with the number
    /// anyway, and so has them in order: by time, device and notification.
    ///
    /// The shift is written out: stores that were migrated have it, whatever ``PushJobNumber`` becomes.
    static let pushNumbers = """
        CREATE TABLE new_push_job (
            number INTEGER PRIMARY KEY,
            provider TEXT NOT NULL,
            available_at INTEGER,
            is_fallback INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            expiry INTEGER NOT NULL,
            fold_key TEXT,
            fold INTEGER,
            collapse TEXT,
            withdrawn TEXT,
            seq INTEGER,
            deadline INTEGER,
            held_from INTEGER,
            is_shown INTEGER NOT NULL DEFAULT 0,
            sent_at INTEGER,
            shown_as TEXT
        ) STRICT;
        INSERT INTO new_push_job (
            number, provider, available_at, is_fallback, failures, expiry, fold_key, fold, collapse, withdrawn, seq, deadline,
            held_from, is_shown, sent_at, shown_as)
            SELECT (device << 34) + notification, provider, available_at, is_fallback, failures, expiry,
                fold_key, fold, collapse, withdrawn, seq, deadline, held_from, is_shown, sent_at, shown_as
            FROM push_job ORDER BY device, notification;

        DROP TABLE push_job;
        ALTER TABLE new_push_job RENAME TO push_job;
        CREATE INDEX push_job_waiting ON push_job (provider, available_at) WHERE available_at IS NOT NULL;
        CREATE INDEX push_job_fold ON push_job (fold_key) WHERE fold_key IS NOT NULL;
        """
}
