import Deliveries
import Postgres
import Store

/// Reads the progress of broadcasts.
struct PostgresBroadcastReads: BroadcastReads {
    let rows: PostgresRows

    init(_ rows: PostgresRows) { self.rows = rows }

    /// Those that no other node works on.
    func open() throws -> [String] {
        try rows.connection.run(
            """
            SELECT event FROM broadcast WHERE ended_at IS NULL AND (node = $1 OR NOT EXISTS (
                SELECT 1 FROM node
                WHERE node.id = broadcast.node AND NOT has_left AND lease_end > clock_timestamp()
            )) ORDER BY id
            """, [.int64(rows.node)]
        ).map { try $0.text(0) }
    }

    func broadcast(of event: String) throws -> Broadcast? {
        let query = PostgresStatement(composed: "SELECT \(BroadcastRecord.columns) FROM broadcast WHERE event = $1")
        return try rows.connection.run(query, [.text(event)]).first.map { try BroadcastRecord($0).broadcast }
    }
}
