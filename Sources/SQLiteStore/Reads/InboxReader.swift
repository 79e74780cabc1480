import Deliveries
import GRDB
import Inbox
import Store

/// Reads one inbox, all as of the snapshot that `db` is in.
struct InboxReader: InboxReads {
    let db: Database
    private let contents: ContentReader
    let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ cache: ContentCache, _ damage: DamageWatch) throws {
        (self.db, self.damage) = (db, damage)
        contents = try ContentReader(db, cache)
    }

    func record(of user: UserID) throws -> InboxRecord? {
        let record = try db.statement(sql: InboxRecord.query).first([user.key], InboxRecord.init)
        if let record, record.isDamaged { damage.leaveOut(DamagedRow(table: "inbox", key: "\(record.id)")) }
        return record
    }

    func notifications(_ rows: [NotificationRecord], of inbox: InboxRecord) throws -> [Notification?] {
        try rows.map { try notification($0, inbox) }
    }

    private func notification(_ row: NotificationRecord, _ inbox: InboxRecord) throws -> Notification? {
        try damage.sound(DamagedRow(table: "notification", key: "\(inbox.id), \(row.id)")) {
            if row.isDamaged { throw DamagedRow(table: "notification", key: "\(inbox.id), \(row.id)") }
            return row.notification(inbox: inbox.id, try contents.content(row.contentID))
        }
    }

    func rows(after seq: Int64, inbox: Int64) throws -> [NotificationRecord] {
        let statement = try db.statement(
            sql: "SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = ? AND id > ?")
        return try statement.all([inbox, seq], NotificationRecord.init)
    }

    func rows(_ ids: [Int64], inbox: Int64) throws -> [NotificationRecord] {
        let statement = try db.statement(
            sql: "SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = ? AND id = ?")
        return try ids.compactMap { try statement.first([inbox, $0], NotificationRecord.init) }
    }

    func changes(after seq: Int64, inbox: Int64) throws -> [(stamp: ChangeStamp, change: LoggedChange)] {
        let statement = try db.statement(
            sql: """
                SELECT seq, unread, unseen, delta, kind, reference, ids FROM change WHERE inbox = ? AND seq > ?
                """)
        let naming = RowNaming(table: "change", scope: inbox)
        return try statement.sound([inbox, seq], of: naming, damage) { row in
            let delta = try row.int(3)
            var checked = CheckedRow(row)
            let stamp = ChangeStamp(
                seq: checked.count(0), unread: checked.count(1), unseen: checked.count(2), delta: delta)
            let change = LoggedChange(
                kind: checked.count(4), reference: checked.optionalCount(5), ids: checked.optionalText(6),
                inbox: inbox)
            guard let change, !checked.isDamaged else { throw naming.row(row) }
            return (stamp, change)
        }
    }

    func list(_ filter: NotificationFilter, inbox: Int64) -> any ListReads { ListReader(db, filter, inbox: inbox) }
}
