extension Schema {
    /// A row of `push_job` is found by one number, a ``PushJobNumber``, and no longer by two: every push looks for its
    /// row three times.
    ///
    /// SQLite cannot change a table's key, so the table is written anew. The waiting jobs' index ends with the number
    /// by itself, and so has them in their order: by time, device and notification.
    ///
    /// The number is written out: a store that was brought here has it so, whatever ``PushJobNumber`` becomes.
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
