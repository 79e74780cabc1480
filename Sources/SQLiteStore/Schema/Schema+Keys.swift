extension Schema {
    /// Idempotency keys move into the trail's rows of their events: an event with a key takes one row and one index
    /// entry, instead of two and three.
    ///
    /// `fingerprint` is set as long as the event holds its key; `recipients`, `created`, `updated` and `suppressed` are
    /// its answer. An event from before the trail gets a row for its key.
    static let keysInTrail = """
        ALTER TABLE trail_event ADD COLUMN fingerprint INTEGER;
        ALTER TABLE trail_event ADD COLUMN recipients INTEGER;
        ALTER TABLE trail_event ADD COLUMN created INTEGER;
        ALTER TABLE trail_event ADD COLUMN updated INTEGER;
        ALTER TABLE trail_event ADD COLUMN suppressed INTEGER;

        INSERT OR IGNORE INTO trail_event (event, page, publisher, key, type, accepted_at, verdicts)
            SELECT event, 0, publisher, key, '', expires_at - 86400000, x'' FROM idempotency;
        UPDATE trail_event SET
                fingerprint = kept.fingerprint, recipients = kept.recipients, created = kept.created,
                updated = kept.updated, suppressed = kept.suppressed
            FROM idempotency AS kept WHERE trail_event.event = kept.event AND page = 0;
        DROP TABLE idempotency;
        """
}
