import Deliveries
import Postgres
import Store

/// Reads the progress of broadcasts.
struct PostgresBroadcastReads: BroadcastReads {
    let rows: PostgresRows

    init(_ rows: PostgresRows) { self.rows = rows }

    func open() throws -> [String] {
        try rows.connection.run("SELECT event FROM broadcast WHERE ended_at IS NULL ORDER BY id")
            .map { try $0.text(0) }
    }

    func broadcast(of event: String) throws -> Broadcast? {
        let query = PostgresStatement(composed: "SELECT \(BroadcastRecord.columns) FROM broadcast WHERE event = $1")
        return try rows.connection.run(query, [.text(event)]).first.map { try BroadcastRecord($0).broadcast }
    }
}
