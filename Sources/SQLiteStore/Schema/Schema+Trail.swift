extension Schema {
    /// The decisions about people, and their later steps.
    ///
    /// `trail_event`: an event's id begins with its time, so rows come at the end and old ones go from the front. An
    /// event that is delivered in pages has a row a page, and its first row tells about the event. The others repeat
    /// what it says of the event itself, as it may go before them. `verdicts` says who got what, see ``TrailVerdicts``.
    /// `data` is the part of the event that is needed to take it out of a batch again. `retracted` counts the recipients
    /// from whom it was taken back.
    ///
    /// `trail_step`: in the order of time, so that here, too, the old go from the front.
    ///
    /// `content.actor` finds the notifications whose live fields a backend changes.
    static let trailTables = """
        CREATE TABLE trail_event (
            event TEXT NOT NULL,
            page INTEGER NOT NULL,
            publisher TEXT NOT NULL,
            key TEXT,
            type TEXT NOT NULL,
            actor TEXT,
            occurred_at INTEGER,
            accepted_at INTEGER NOT NULL,
            verdicts BLOB NOT NULL,
            data BLOB,
            repeats INTEGER NOT NULL DEFAULT 0,
            repeated_at INTEGER,
            retracted INTEGER NOT NULL DEFAULT 0,
            retracted_at INTEGER,
            PRIMARY KEY (event, page)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX trail_key ON trail_event (publisher, key, retracted_at) WHERE key IS NOT NULL;

        CREATE TABLE trail_step (
            number INTEGER PRIMARY KEY,
            inbox INTEGER NOT NULL,
            notification INTEGER NOT NULL,
            at INTEGER NOT NULL,
            kind TEXT NOT NULL,
            detail TEXT,
            place INTEGER,
            provider TEXT,
            device TEXT
        ) STRICT;
        CREATE INDEX trail_step_of ON trail_step (inbox, notification);

        ALTER TABLE content ADD COLUMN actor TEXT;
        UPDATE content SET actor = json_extract('{' || CAST(body AS TEXT) || '}', '$.actor.id')
            WHERE json_valid('{' || CAST(body AS TEXT) || '}');
        """
}
