import Deliveries
import Inbox
import Postgres

/// The last changes of each inbox.
final class PostgresChanges: PostgresPart, ChangeRows {
    var length: Int64 { rows.changeLogLength }

    func append(_ change: LoggedChange, _ stamp: ChangeStamp, inbox: Int64) throws {
        let columns = change.columns
        try connection.queue(
            """
            INSERT INTO change (inbox, seq, kind, reference, place, ids, unread, unseen, delta)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """,
            [
                .int64(inbox), .int64(stamp.seq), .int64(columns.kind), .int64(columns.reference),
                .int64(columns.place), .text(columns.ids), .int64(stamp.unread), .int64(stamp.unseen),
                .int64(stamp.delta),
            ])
    }

    func remove(upTo seq: Int64, inbox: Int64) throws {
        try connection.queue("DELETE FROM change WHERE inbox = $1 AND seq <= $2", [.int64(inbox), .int64(seq)])
    }
}
