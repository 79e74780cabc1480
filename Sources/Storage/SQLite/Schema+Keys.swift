extension Schema {
    /// Idempotency keys stand with what was decided about their events: of one event with a key, one row in one table
    /// and one index instead of two and three.
    ///
    /// `fingerprint` is there for as long as the key stands for the event; `recipients`, `created`, `updated` and
    /// `suppressed` are the answer that was given. An event that was taken in before there was a trail gets a row for
    /// its key.
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
