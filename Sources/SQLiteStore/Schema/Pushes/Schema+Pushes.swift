extension Schema {
    /// More columns for devices, and a queue that tells providers, folds and badge pushes apart.
    ///
    /// `push_job`: device and notification identify a row, so reading a notification finds its jobs without another
    /// index; a badge push has the notification -1 or -2. `available_at` is when the job is due or tried again; NULL
    /// after the push was accepted, when the row tells what the device shows. Jobs that leave as one when due together
    /// share `fold_key`. `fold` is the first notification of those that have left, and `collapse` a collapse id that is
    /// not the notification's own. `device.badge` is the number that the last accepted push has set, by `badge_rule`.
    ///
    /// SQLite cannot change a table's constraints, so both tables are written anew.
    static let pushesByProvider = """
        CREATE TABLE new_device (
            row INTEGER PRIMARY KEY,
            inbox INTEGER NOT NULL,
            app TEXT NOT NULL,
            id TEXT NOT NULL,
            provider TEXT NOT NULL,
            token TEXT NOT NULL,
            p256dh BLOB,
            auth BLOB,
            platform TEXT,
            environment TEXT,
            locale TEXT,
            zone TEXT,
            permission TEXT,
            registered_at INTEGER NOT NULL,
            last_seen_at INTEGER NOT NULL,
            badge INTEGER,
            badge_rule TEXT,
            UNIQUE (inbox, app, id),
            UNIQUE (provider, token)
        ) STRICT;
        INSERT INTO new_device (row, inbox, app, id, provider, token, registered_at, last_seen_at)
            SELECT row, inbox, '', id, provider, token, registered_at, registered_at FROM device;

        CREATE TABLE new_push_job (
            device INTEGER NOT NULL,
            notification INTEGER NOT NULL,
            provider TEXT NOT NULL,
            available_at INTEGER,
            is_fallback INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            expiry INTEGER NOT NULL,
            fold_key TEXT,
            fold INTEGER,
            collapse TEXT,
            withdrawn TEXT,
            PRIMARY KEY (device, notification)
        ) STRICT, WITHOUT ROWID;
        INSERT OR IGNORE INTO new_push_job (device, notification, provider, available_at, is_fallback, failures, expiry)
            SELECT device, notification, provider, due, is_fallback, failures, expiry
            FROM push_job JOIN device ON device.row = push_job.device;

        DROP TABLE push_job;
        DROP TABLE device;
        ALTER TABLE new_device RENAME TO device;
        ALTER TABLE new_push_job RENAME TO push_job;
        CREATE INDEX device_name ON device (id, app, last_seen_at);
        CREATE INDEX device_last_seen ON device (last_seen_at);
        CREATE INDEX push_job_waiting ON push_job (provider, available_at, device, notification, failures)
            WHERE available_at IS NOT NULL;
        CREATE INDEX push_job_fold ON push_job (device, fold_key) WHERE fold_key IS NOT NULL;

        CREATE TABLE push_pace (
            inbox INTEGER NOT NULL,
            fold_key TEXT NOT NULL,
            start INTEGER NOT NULL,
            count INTEGER NOT NULL,
            has_waiting INTEGER NOT NULL,
            ends_at INTEGER NOT NULL,
            PRIMARY KEY (inbox, fold_key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX push_pace_end ON push_pace (ends_at);
        """
}
