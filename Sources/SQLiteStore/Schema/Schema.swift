import GRDB

/// The tables and their versions.
///
/// STRICT, so that a column holds values of its type. WITHOUT ROWID where rows are found by their key: a row is then
/// stored once, in the order in which pages and resumes read it. `user` stands once a person; all other tables use
/// `inbox`, except ``revocations``.
enum Schema {
    static var migrations: DatabaseMigrator {
        var migrator = DatabaseMigrator().disablingDeferredForeignKeyChecks()
        migrator.registerMigration("1") { db in
            for table in [inboxes, notifications, changes, keys, pushes, feeds] { try db.execute(sql: table) }
        }
        migrator.registerMigration("2") { db in try db.execute(sql: pushesByProvider) }
        migrator.registerMigration("3") { db in
            for tables in [people, broadcastsTables, trailTables, feedsTables, groups, holds] {
                try db.execute(sql: tables)
            }
        }
        migrator.registerMigration("4") { db in try db.execute(sql: marks) }
        migrator.registerMigration("5") { db in try db.execute(sql: keysInTrail) }
        migrator.registerMigration("6") { db in try db.execute(sql: inboxState) }
        migrator.registerMigration("7") { db in try db.execute(sql: feedTips) }
        migrator.registerMigration("8") { db in try db.execute(sql: shownAs) }
        migrator.registerMigration("9") { db in try db.execute(sql: storingTime) }
        migrator.registerMigration("10") { db in try db.execute(sql: pushNumbers) }
        migrator.registerMigration("11", migrate: sortQueue)
        migrator.registerMigration("12") { db in try db.execute(sql: queueContents) }
        migrator.registerMigration("13") { db in try db.execute(sql: pushOnly) }
        migrator.registerMigration("14") { db in try db.execute(sql: feedChanges) }
        migrator.registerMigration("15") { db in try db.execute(sql: clock) }
        migrator.registerMigration("16") { db in
            try prepareLists(db)
            try db.execute(sql: storeEpoch)
        }
        migrator.registerMigration("17") { db in try db.execute(sql: registrars) }
        migrator.registerMigration("18") { db in try db.execute(sql: orderedReadSpans) }
        migrator.registerMigration("19", migrate: makeRoomForProviders)
        migrator.registerMigration("20") { db in try db.execute(sql: apps) }
        migrator.registerMigration("21") { db in try db.execute(sql: subscriptions) }
        migrator.registerMigration("22") { db in try db.execute(sql: webhooks) }
        migrator.registerMigration("23") { db in try db.execute(sql: questions) }
        migrator.registerMigration("24") { db in try db.execute(sql: activities) }
        migrator.registerMigration("25") { db in try db.execute(sql: revocations) }
        return migrator
    }

    /// The counts may be behind the inbox's content: ``inboxState`` tells them. `devices`, the number of the user's
    /// devices, spares most fan-outs a look at the devices.
    private static let inboxes = """
        CREATE TABLE inbox (
            id INTEGER PRIMARY KEY,
            user TEXT NOT NULL UNIQUE,
            epoch TEXT NOT NULL CHECK (epoch <> ''),
            seq INTEGER NOT NULL,
            unread INTEGER NOT NULL,
            unseen INTEGER NOT NULL,
            total INTEGER NOT NULL,
            devices INTEGER NOT NULL
        ) STRICT;
        """

    /// A notification's `id` is the `seq` at which it came. Its row is also the change log's entry for that `seq`, with
    /// the counts right after: a fan-out writes one row a recipient instead of three.
    ///
    /// `content.uses` counts the notifications that show a content, which goes with the last of them. A search for
    /// unused contents would need an index on `notification.content`, at the cost of every fan-out.
    private static let notifications = """
        CREATE TABLE content (
            id INTEGER PRIMARY KEY,
            event TEXT NOT NULL,
            type TEXT NOT NULL,
            text TEXT NOT NULL,
            body BLOB NOT NULL,
            batch BLOB,
            push BLOB,
            uses INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE notification (
            inbox INTEGER NOT NULL,
            id INTEGER NOT NULL,
            content INTEGER NOT NULL,
            created_at INTEGER NOT NULL,
            rev INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            is_read INTEGER NOT NULL,
            is_seen INTEGER NOT NULL,
            unread_after INTEGER NOT NULL,
            unseen_after INTEGER NOT NULL,
            batch_key TEXT,
            PRIMARY KEY (inbox, id)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX open_batch ON notification (inbox, batch_key) WHERE batch_key IS NOT NULL;
        """

    /// All changes except the arrival of notifications that still exist; see ``LoggedChange``.
    private static let changes = """
        CREATE TABLE change (
            inbox INTEGER NOT NULL,
            seq INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            reference INTEGER,
            ids TEXT,
            unread INTEGER NOT NULL,
            unseen INTEGER NOT NULL,
            delta INTEGER NOT NULL,
            PRIMARY KEY (inbox, seq)
        ) STRICT, WITHOUT ROWID;
        """

    private static let keys = """
        CREATE TABLE idempotency (
            publisher TEXT NOT NULL,
            key TEXT NOT NULL,
            fingerprint INTEGER NOT NULL,
            event TEXT NOT NULL,
            recipients INTEGER NOT NULL,
            created INTEGER NOT NULL,
            updated INTEGER NOT NULL,
            suppressed INTEGER NOT NULL,
            expires_at INTEGER NOT NULL,
            PRIMARY KEY (publisher, key)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX idempotency_expiry ON idempotency (expires_at);
        """

    /// `available_at` is `due` for a waiting job, and the lease's end for one that was handed out.
    private static let pushes = """
        CREATE TABLE device (
            row INTEGER PRIMARY KEY,
            inbox INTEGER NOT NULL,
            id TEXT NOT NULL,
            provider TEXT NOT NULL,
            token TEXT NOT NULL,
            registered_at INTEGER NOT NULL,
            UNIQUE (inbox, id),
            UNIQUE (provider, token)
        ) STRICT;
        CREATE INDEX device_name ON device (id, registered_at);

        CREATE TABLE push_job (
            id INTEGER PRIMARY KEY,
            inbox INTEGER NOT NULL,
            notification INTEGER NOT NULL,
            device INTEGER NOT NULL,
            is_fallback INTEGER NOT NULL,
            due INTEGER NOT NULL,
            available_at INTEGER NOT NULL,
            failures INTEGER NOT NULL,
            expiry INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX push_job_available ON push_job (available_at);
        CREATE INDEX push_job_inbox ON push_job (inbox, notification);
        """

    private static let feeds = """
        CREATE TABLE feed (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            epoch TEXT NOT NULL CHECK (epoch <> ''),
            head INTEGER NOT NULL
        ) STRICT;

        CREATE TABLE feed_item (
            feed INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            published_at INTEGER NOT NULL,
            json BLOB NOT NULL,
            PRIMARY KEY (feed, offset)
        ) STRICT, WITHOUT ROWID;
        """
}
