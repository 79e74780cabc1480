import Inbox
import Postgres
import Store

/// The statements about nodes, and what they watch.
enum NodeTable {
    /// How long a node lives without renewing its lease.
    static let lease = Duration.seconds(10)
    private static let leaseText = "10 seconds"

    /// - Returns: the new node's number.
    static func register(name: String, channel: String, on connection: PostgresConnection) throws -> Int64 {
        try connection.run(
            """
            INSERT INTO node (name, channel, lease_end)
            VALUES ($1, $2, clock_timestamp() + $3::text::interval) RETURNING id
            """, [.text(name), .text(channel), .text(leaseText)])[0].int64(0)
    }

    /// - Returns: whether the node is still known; if not, nobody counts with what it watches.
    static func renew(_ node: Int64, on connection: PostgresConnection) throws -> Bool {
        try connection.run(
            """
            UPDATE node SET lease_end = clock_timestamp() + $2::text::interval
            WHERE id = $1 AND lease_end > clock_timestamp()
            """, [.int64(node), .text(leaseText)]
        ).changedRows > 0
    }

    /// How long people whose node has left count as on the way back.
    private static let returnText = "15 seconds"

    /// Notes that the node does no work any more.
    static func leave(_ node: Int64, on connection: PostgresConnection) throws {
        try connection.queue(
            """
            UPDATE node SET has_left = true, lease_end = clock_timestamp() + $2::text::interval WHERE id = $1
            """, [.int64(node), .text(returnText)])
        try connection.queue("DELETE FROM duty WHERE node = $1", [.int64(node)])
        try connection.settle()
    }

    /// The nodes that work, and how many have a lease, with those that have left.
    static func living(on connection: PostgresConnection) throws -> (working: Set<Int64>, leased: Int) {
        let found = try connection.run("SELECT id, has_left FROM node WHERE lease_end > clock_timestamp()")
        return (Set(try found.filter { try !$0.bool(1) }.map { try $0.int64(0) }), found.count)
    }

    /// Takes over the work that one node does for all, or keeps it.
    static func takeDuty(_ node: Int64, on connection: PostgresConnection) throws -> Bool {
        try connection.run(
            """
            INSERT INTO duty (name, node, lease_end) VALUES ('caretaker', $1, clock_timestamp() + $2::text::interval)
            ON CONFLICT (name) DO UPDATE SET node = excluded.node, lease_end = excluded.lease_end
            WHERE duty.node = excluded.node OR duty.lease_end < clock_timestamp()
            """, [.int64(node), .text(leaseText)]
        ).changedRows > 0
    }

    /// Ends the leases of pushes that nodes had which have left or died: the next look hands these pushes out again.
    ///
    /// A lease takes minutes at most, so later ends are none of the database's clock.
    /// - Returns: how many there were.
    static func endLeases(on connection: PostgresConnection) throws -> Int {
        try connection.run(
            """
            UPDATE push_line SET next_at = clock.now, next_turn = 0
            FROM (
                SELECT line.device FROM push_line AS line
                WHERE line.lease IS NOT NULL AND NOT EXISTS (
                    SELECT FROM node
                    WHERE node.id = line.node AND NOT has_left AND lease_end > clock_timestamp()
                ) FOR UPDATE SKIP LOCKED
            ) AS left_behind, (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::int8 AS now) AS clock
            WHERE push_line.device = left_behind.device AND next_at > clock.now AND next_at < clock.now + 3600000
            """
        ).changedRows
    }

    /// Removes what dead nodes have left, a while after their death.
    static func removeDead(on connection: PostgresConnection) throws {
        try connection.queue(
            """
            WITH dead AS (
                DELETE FROM node WHERE lease_end < clock_timestamp() - interval '10 seconds' RETURNING id
            ), gone AS (DELETE FROM presence USING dead WHERE presence.node = dead.id)
            DELETE FROM mail USING dead WHERE mail.node = dead.id
            """)
        try connection.queue("DELETE FROM note WHERE at < clock_timestamp() - interval '10 minutes'")
        try connection.settle()
    }

    // MARK: What nodes watch

    static func watch(_ subjects: [NewsSubject], _ node: Int64, on connection: PostgresConnection) throws {
        // In one order, so that two nodes do not wait for each other.
        let keys = subjects.map(\.presenceKey).sorted()
        try connection.run(
            "INSERT INTO presence (key, node) SELECT key, $2 FROM unnest($1) AS new (key) ON CONFLICT DO NOTHING",
            [.texts(keys), .int64(node)])
    }

    static func unwatch(_ subjects: [NewsSubject], _ node: Int64, on connection: PostgresConnection) throws {
        try connection.run(
            "DELETE FROM presence WHERE node = $2 AND key = ANY ($1)",
            [.texts(subjects.map(\.presenceKey)), .int64(node)])
    }

    /// The other nodes that watch these subjects, by their keys.
    static func watchers(
        of keys: [String], except node: Int64, on connection: PostgresConnection
    ) throws -> [(key: String, node: Int64, channel: String)] {
        try connection.run(
            """
            SELECT presence.key, node.id, node.channel FROM presence JOIN node ON node.id = presence.node
            WHERE presence.key = ANY ($1) AND node.id <> $2 AND NOT has_left AND lease_end > clock_timestamp()
            """, [.texts(keys), .int64(node)]
        ).map { (try $0.text(0), try $0.int64(1), try $0.text(2)) }
    }

    static func others(than node: Int64, on connection: PostgresConnection) throws -> [(node: Int64, channel: String)] {
        try connection.run(
            "SELECT id, channel FROM node WHERE id <> $1 AND NOT has_left AND lease_end > clock_timestamp()",
            [.int64(node)]
        ).map { (try $0.int64(0), try $0.text(1)) }
    }
}
