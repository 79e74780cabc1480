import Cluster
import Inbox
import Postgres
import Push
import Store
import Synchronization

/// The statements about nodes, and what they watch.
final class PostgresNodeRows: NodeRows {
    private static let lease = PostgresValue.text("\(ClusterNode.lease.components.seconds) seconds")
    private static let returnTime = PostgresValue.text("\(ClusterNode.returnTime.components.seconds) seconds")

    private let connection: PostgresConnection
    private let options: PostgresStoreOptions
    /// Outlives a connection.
    private let notes: NotePlace

    /// How far this node has read the notes of others. The mutex says to the compiler that the queue alone touches it.
    final class NotePlace: Sendable {
        let notes = Mutex<NodeNotes?>(nil)
    }

    /// - Throws: a failure of PostgreSQL.
    init(_ address: PostgresAddress, _ options: PostgresStoreOptions, _ notes: NotePlace) throws {
        (self.options, self.notes) = (options, notes)
        connection = try PostgresConnection(address, options.connection)
        // Nothing that this connection writes has to outlive a crash of the server, except for notes, which others write.
        try connection.run("SET synchronous_commit = off")
    }

    var isOpen: Bool { connection.isOpen }
    func close() { connection.close() }
    func lookAtClock() throws -> Duration { try options.clock.look(on: connection) }

    // MARK: Nodes

    func register(name: String, channel: String) throws -> Int64 {
        try connection.run(
            """
            INSERT INTO node (name, channel, lease_end)
            VALUES ($1, $2, clock_timestamp() + $3::text::interval) RETURNING id
            """, [.text(name), .text(channel), Self.lease])[0].int64(0)
    }

    func renew(_ node: Int64) throws -> Bool {
        try connection.run(
            """
            UPDATE node SET lease_end = clock_timestamp() + $2::text::interval
            WHERE id = $1 AND lease_end > clock_timestamp()
            """, [.int64(node), Self.lease]
        ).changedRows > 0
    }

    func leave(_ node: Int64) throws {
        try connection.queue(
            """
            UPDATE node SET has_left = true, lease_end = clock_timestamp() + $2::text::interval WHERE id = $1
            """, [.int64(node), Self.returnTime])
        try connection.queue("DELETE FROM duty WHERE node = $1", [.int64(node)])
        try connection.settle()
    }

    func living() throws -> (working: Set<Int64>, leased: Int) {
        let found = try connection.run("SELECT id, has_left FROM node WHERE lease_end > clock_timestamp()")
        return (Set(try found.filter { try !$0.bool(1) }.map { try $0.int64(0) }), found.count)
    }

    func others(than node: Int64) throws -> [(node: Int64, channel: String)] {
        try connection.run(
            "SELECT id, channel FROM node WHERE id <> $1 AND NOT has_left AND lease_end > clock_timestamp()",
            [.int64(node)]
        ).map { (try $0.int64(0), try $0.text(1)) }
    }

    func takeDuty(_ node: Int64) throws -> Bool {
        try connection.run(
            """
            INSERT INTO duty (name, node, lease_end) VALUES ('caretaker', $1, clock_timestamp() + $2::text::interval)
            ON CONFLICT (name) DO UPDATE SET node = excluded.node, lease_end = excluded.lease_end
            WHERE duty.node = excluded.node OR duty.lease_end < clock_timestamp()
            """, [.int64(node), Self.lease]
        ).changedRows > 0
    }

    /// A lease takes minutes at most, so later ends are none of the database's clock.
    func endLeases() throws {
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
            """)
    }

    func removeDead() throws {
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

    func watch(_ subjects: [NewsSubject], _ node: Int64) throws {
        // In one order, so that two nodes do not wait for each other.
        let keys = subjects.map(\.presenceKey).sorted()
        try connection.run(
            "INSERT INTO presence (key, node) SELECT key, $2 FROM unnest($1) AS new (key) ON CONFLICT DO NOTHING",
            [.texts(keys), .int64(node)])
    }

    func unwatch(_ subjects: [NewsSubject], _ node: Int64) throws {
        try connection.run(
            "DELETE FROM presence WHERE node = $2 AND key = ANY ($1)",
            [.texts(subjects.map(\.presenceKey)), .int64(node)])
    }

    func watchers(
        of subjects: [NewsSubject], except node: Int64
    ) throws -> [(subject: NewsSubject, node: Int64, channel: String)] {
        try connection.run(
            """
            SELECT presence.key, node.id, node.channel FROM presence JOIN node ON node.id = presence.node
            WHERE presence.key = ANY ($1) AND node.id <> $2 AND NOT has_left AND lease_end > clock_timestamp()
            """, [.texts(subjects.map(\.presenceKey)), .int64(node)]
        ).compactMap { row in
            let (node, channel) = (try row.int64(1), try row.text(2))
            return try NewsSubject(presenceKey: row.text(0)).map { ($0, node, channel) }
        }
    }

    func heads(of subjects: [NewsSubject]) throws -> [NewsHead] { try HeadTable.heads(of: subjects, on: connection) }

    // MARK: What they tell each other

    func post(_ messages: [Message]) throws {
        switch options.wakeUps {
        case .listen:
            for message in messages { try connection.notify(message.channel, message.text) }
            try connection.settle()
        case .poll:
            // A message to a channel alone answers a node that may be gone by now.
            try connection.run(
                """
                INSERT INTO mail (node, payload) SELECT node.id, new.payload
                FROM unnest($1, $2, $3) WITH ORDINALITY AS new (node, channel, payload, place)
                JOIN node ON node.id = new.node OR node.channel = new.channel ORDER BY new.place
                """,
                [
                    .int64s(messages.map(\.node)), .texts(messages.map(\.channel)), .texts(messages.map(\.text)),
                ])
        }
    }

    func takeMail(of node: Int64) throws -> [String] {
        try connection.run(
            """
            WITH read AS (DELETE FROM mail WHERE node = $1 RETURNING id, payload)
            SELECT payload FROM read ORDER BY id
            """, [.int64(node)]
        ).map { try $0.text(0) }
    }

    func beginNotes(for node: Int64) throws {
        let begun = try NodeNotes(node: node, providers: options.rules.providers, on: connection)
        notes.notes.withLock { $0 = begun }
    }

    func takeNotes(mayHaveMissedSome: Bool) throws -> [Commit] {
        try notes.notes.withLock { try $0?.read(mayHaveMissedSome: mayHaveMissedSome, on: connection) ?? [] }
    }
}
