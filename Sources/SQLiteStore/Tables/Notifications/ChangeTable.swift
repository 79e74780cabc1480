import Deliveries
import GRDB
import Inbox

/// Writes `change`.
final class ChangeTable: ChangeRows {
    private let insert: Statement
    private let trim: Statement
    let length: Int64

    init(_ db: Database, length: Int64) throws {
        insert = try db.statement(
            sql: """
                INSERT INTO change (inbox, seq, kind, reference, ids, unread, unseen, delta)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                """)
        trim = try db.statement(sql: "DELETE FROM change WHERE inbox = ? AND seq <= ?")
        self.length = length
    }

    func append(_ change: LoggedChange, _ stamp: ChangeStamp, inbox: Int64) throws {
        let columns = change.columns
        try insert.execute(
            arguments: [
                inbox, stamp.seq, columns.kind, columns.reference, columns.ids, stamp.unread, stamp.unseen,
                stamp.delta,
            ])
    }

    func remove(upTo seq: Int64, inbox: Int64) throws { try trim.execute(arguments: [inbox, seq]) }
}
