import Postgres

/// Devices, the pushes that wait for them, and what they show.
extension Schema {
    static let pushes: [PostgresStatement] = deviceTables + queueTables + lineTables + screenTables

    /// Where pushes go: one row an installation of an app. badge is the number that the last accepted push has set.
    private static let deviceTables: [PostgresStatement] = [
        // Names and tokens are compared octet by octet, and ordered so.
        """
        CREATE TABLE device (
            row int8 PRIMARY KEY,
            inbox int8 NOT NULL,
            app text COLLATE "C" NOT NULL,
            id text COLLATE "C" NOT NULL,
            provider text COLLATE "C" NOT NULL,
            token text COLLATE "C" NOT NULL,
            p256dh bytea,
            auth bytea,
            platform text,
            environment text,
            locale text,
            zone text,
            permission text,
            registered_at int8 NOT NULL,
            last_seen_at int8 NOT NULL,
            badge int8,
            badge_rule text,
            registrar int8 NOT NULL DEFAULT 0,
            UNIQUE (inbox, app, id),
            CONSTRAINT device_token EXCLUDE USING hash ((provider || ' ' || token) WITH =)
        ) WITH (fillfactor = 80)
        """,
        // A token may be longer than an entry of a sorted index, hence the hash above.
        "CREATE INDEX device_name ON device (id, app, last_seen_at)",
        "CREATE INDEX device_last_seen ON device (last_seen_at)",
        // No row's number is given twice as long as there are new ones: other processes may remember its device.
        "CREATE SEQUENCE device_row",
    ]

    /// What a browser's subscription has beside its address and keys: the page that its pushes open, and its end.
    static let subscriptions: [PostgresStatement] = [
        "ALTER TABLE device ADD COLUMN scope text, ADD COLUMN expires_at int8"
    ]

    /// The waiting pushes. They leave in the order of due and turn. provider is the provider's place.
    private static let queueTables: [PostgresStatement] = [
        // The rows at the front go all the time: dead ones make the way to the living ones longer.
        """
        CREATE TABLE push_job (
            device int8 NOT NULL,
            notification int8 NOT NULL,
            provider int8 NOT NULL,
            due int8 NOT NULL,
            turn int8 NOT NULL,
            is_fallback bool NOT NULL,
            failures int8 NOT NULL DEFAULT 0,
            expiry int8 NOT NULL,
            fold_key bytea,
            fold int8,
            collapse text,
            withdrawn text,
            seq int8,
            deadline int8,
            held_from int8,
            is_shown bool NOT NULL DEFAULT false,
            shown_as text,
            content int8,
            PRIMARY KEY (device, notification)
        ) WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)
        """,
        "CREATE UNIQUE INDEX push_job_place ON push_job (provider, due, turn)",
        // A key holds a text of an event, of any length and with any character.
        "CREATE INDEX push_job_fold ON push_job (device, sha256(fold_key)) WHERE fold_key IS NOT NULL",
        // A device's next job: one that was put off after a failure, or else the first one.
        "CREATE INDEX push_job_failed ON push_job (device, due, turn) WHERE failures > 0 AND held_from IS NULL",
        "CREATE INDEX push_job_line ON push_job (device, due, turn)",
        // As many turns as a moment of the queue has.
        "CREATE SEQUENCE push_turn MINVALUE 0 MAXVALUE 131071 CYCLE",
    ]

    /// The order in which devices get their pushes: one row a device for which one waits or is on its way.
    ///
    /// next_at is the moment before which the device gets nothing, with the turn within it. It may be too early, never
    /// too late: whoever looks moves it. While a push is on its way, it is the lease's end. No waiting job is due before
    /// first_due. notification, due and turn are the job on lease, or one that was given back and goes first.
    private static let lineTables: [PostgresStatement] = [
        """
        CREATE TABLE push_line (
            device int8 PRIMARY KEY,
            provider int8 NOT NULL,
            next_at int8 NOT NULL,
            next_turn int8 NOT NULL,
            first_due int8 NOT NULL,
            notification int8,
            due int8,
            turn int8,
            lease int8,
            node int8,
            is_overtaken bool NOT NULL DEFAULT false,
            parts bytea,
            renewals bytea
        ) WITH (
            fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
        )
        """,
        "CREATE INDEX push_line_next ON push_line (provider, next_at, next_turn)",
        "CREATE UNIQUE INDEX push_line_lease ON push_line (lease) WHERE lease IS NOT NULL",
        // As many numbers at a time as a look may need: each part of a push has one.
        "CREATE SEQUENCE push_lease INCREMENT 1048576",
    ]

    private static let screenTables: [PostgresStatement] = [
        // What each device shows: the marks of its accepted pushes, one after the other.
        "CREATE TABLE push_mark (device int8 PRIMARY KEY, marks bytea NOT NULL)",
        // How many pushes with one fold key a person got in the current hour.
        """
        CREATE TABLE push_pace (
            inbox int8 NOT NULL,
            fold_key bytea NOT NULL,
            start int8 NOT NULL,
            count int8 NOT NULL,
            has_waiting bool NOT NULL,
            ends_at int8 NOT NULL
        )
        """,
        "CREATE UNIQUE INDEX push_pace_key ON push_pace (inbox, sha256(fold_key))",
        "CREATE INDEX push_pace_end ON push_pace (ends_at)",
    ]
}
