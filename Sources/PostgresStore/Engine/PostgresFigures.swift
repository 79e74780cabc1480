import Inbox
import Postgres
import Push
import Store

/// Reads a store's figures for its operator.
enum PostgresFigures {
    /// Larger tables are not counted: PostgreSQL reads all of a table for that, and knows about how many rows it has.
    private static let mostCounted: Int64 = 1_000_000

    /// - Parameters:
    ///   - providers: those whose waiting pushes are counted.
    ///   - walk: goes on by a step.
    static func statistics(
        on connection: PostgresConnection, providers: ProviderList, _ walk: inout DriftWalk, at now: Timestamp
    ) throws -> StoreStatistics {
        var waiting = Dictionary(uniqueKeysWithValues: providers.map { ($0, Int64(0)) })
        for row in try connection.run("SELECT provider, count(*) FROM push_job GROUP BY provider") {
            guard let provider = providers[place: Int(try row.int64(0))] else { continue }
            waiting[provider] = try row.int64(1)
        }
        try walk.step(at: now, on: connection)
        var counts = StoreCounts(began: walk.began ?? now)
        counts.unreadDrift = walk.total
        counts.inboxes = try count("inbox", on: connection)
        counts.notifications = try count("notification", on: connection)
        counts.devices = try count("device", on: connection)
        var statistics = StoreStatistics(
            pushJobsByProvider: waiting, counts: counts, remembered: RememberedChanges(changes: 0, bytes: 0))
        statistics.outbox = try PostgresOutbox.figures(on: connection)
        return statistics
    }

    /// All nodes that live, or did lately.
    static func nodes(on connection: PostgresConnection) throws -> [NodeLease]? {
        try connection.run(
            """
            SELECT
                name, (extract(epoch FROM lease_end) * 1000)::int8, lease_end > clock_timestamp(), has_left,
                (SELECT count(*) FROM presence WHERE presence.node = node.id AND key >= 'u' AND key < 'v')
            FROM node WHERE lease_end > clock_timestamp() - interval '1 hour' ORDER BY name, id
            """
        ).map { row in
            NodeLease(
                name: try row.text(0), leaseEnd: Timestamp(milliseconds: try row.int64(1)), isAlive: try row.bool(2),
                hasLeft: try row.bool(3), people: Int(try row.int64(4)))
        }
    }

    /// - Parameter table: its name, a literal.
    private static func count(_ table: StaticString, on connection: PostgresConnection) throws -> Int64 {
        let estimate = try connection.run(
            "SELECT reltuples::int8 FROM pg_class WHERE oid = to_regclass($1)", [.text("\(table)")]
        ).first?.int64(0)
        if let estimate, estimate > mostCounted { return estimate }
        return try connection.run(PostgresStatement(composed: "SELECT count(*) FROM \(table)"))[0].int64(0)
    }
}
