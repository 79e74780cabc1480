import Postgres

/// Locks of idempotency keys, until the transaction's end.
///
/// A new key has no row that could be locked. So PostgreSQL locks a number for it, and a few keys may share one.
enum KeyLocks {
    /// How many keys are locked one by one. All nodes together have room for some thousand such locks, by
    /// `max_locks_per_transaction`.
    private static let most = 1000

    /// In the order of the numbers: two nodes that take many at once never wait for each other.
    private static let lockEach: PostgresStatement = """
        SELECT count(pg_advisory_xact_lock(number)::text) FROM (
            SELECT DISTINCT hashtextextended(publisher || E'\\x1F' || key, 0) AS number
            FROM unnest($1, $2) AS asked (publisher, key) ORDER BY number
        ) AS sorted
        """

    private static let lockOfBroadcast: PostgresStatement = """
        SELECT count(pg_advisory_xact_lock(hashtextextended(publisher || E'\\x1F' || key, 0))::text)
        FROM broadcast WHERE event = $1 AND key IS NOT NULL
        """

    /// The next statement sees what was committed while this one waited.
    static func take(publishers: [String], keys: [String], on connection: PostgresConnection) throws {
        // The number is ours, and stands for all keys. Who has it alone needs no key's lock.
        guard keys.count <= most else {
            try connection.queue("SELECT pg_advisory_xact_lock(4702111235)")
            return
        }
        try share(connection)
        try connection.queue(lockEach, [.texts(publishers), .texts(keys)])
    }

    static func take(_ key: String, of publisher: String, on connection: PostgresConnection) throws {
        try take(publishers: [publisher], keys: [key], on: connection)
    }

    /// Locks the key of an event that is delivered page by page, if it has one.
    static func take(ofBroadcast event: String, on connection: PostgresConnection) throws {
        try share(connection)
        try connection.queue(lockOfBroadcast, [.text(event)])
    }

    /// Keeps others from having all keys alone.
    private static func share(_ connection: PostgresConnection) throws {
        try connection.queue("SELECT pg_advisory_xact_lock_shared(4702111235)")
    }
}
