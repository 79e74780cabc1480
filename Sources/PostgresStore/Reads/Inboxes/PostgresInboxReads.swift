import Deliveries
import Inbox
import Postgres
import Store

/// Reads inboxes.
struct PostgresInboxReads: InboxReads {
    let rows: PostgresRows

    init(_ rows: PostgresRows) { self.rows = rows }

    private static let select = "SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = $1"
    private static let findAfter = PostgresStatement(composed: "\(select) AND id > $2")
    private static let find = PostgresStatement(composed: "\(select) AND id = ANY ($2)")

    func record(of user: UserID) throws -> InboxRecord? {
        try rows.connection.run(InboxRecord.query, [.text(user.key)]).first.map(InboxRecord.init)
    }

    /// Those of them who have an inbox.
    func records(of users: [UserID]) throws -> [UserID: InboxRecord] {
        var records: [UserID: InboxRecord] = [:]
        for row in try rows.connection.run(InboxRecord.queryOfMany, [.texts(users.map(\.key))]) {
            guard let user = UserID(key: try row.text(InboxRecord.userColumn)) else { continue }
            records[user] = try InboxRecord(row)
        }
        return records
    }

    func notifications(_ rows: [NotificationRecord], of inbox: InboxRecord) throws -> [Notification?] {
        Self.notifications(rows, try contents(rows.map(\.contentID)), of: inbox)
    }

    static func notifications(
        _ rows: [NotificationRecord], _ contents: [Int64: Content?], of inbox: InboxRecord
    ) -> [Notification?] {
        rows.map { row in (contents[row.contentID] ?? nil).map { row.notification(inbox: inbox.id, $0) } }
    }

    /// By their numbers; nil for damaged ones.
    func contents(_ ids: [Int64]) throws -> [Int64: Content?] {
        var contents: [Int64: Content?] = [:]
        if ids.isEmpty { return contents }
        for id in ids { contents[id] = .some(nil) }
        for row in try rows.connection.run(Content.query, [.int64s(Array(contents.keys))]) {
            let content: Content?
            do { content = try Content(row) } catch is DamagedRow { content = nil }
            contents[try row.int64(Content.numberColumn)] = content
        }
        return contents
    }

    func rows(after seq: Int64, inbox: Int64) throws -> [NotificationRecord] {
        try rows.connection.run(Self.findAfter, [.int64(inbox), .int64(seq)]).map(NotificationRecord.init)
    }

    func rows(_ ids: [Int64], inbox: Int64) throws -> [NotificationRecord] {
        try rows.connection.run(Self.find, [.int64(inbox), .int64s(ids)]).map(NotificationRecord.init)
    }

    func changes(after seq: Int64, inbox: Int64) throws -> [(stamp: ChangeStamp, change: LoggedChange)] {
        let rows = try rows.connection.run(
            """
            SELECT seq, unread, unseen, delta, kind, reference, place, ids FROM change WHERE inbox = $1 AND seq > $2
            """,
            [.int64(inbox), .int64(seq)])
        return try rows.compactMap { try Self.change($0, inbox: inbox) }
    }

    /// - Returns: nil for a damaged one.
    static func change(
        _ row: PostgresRow, inbox: Int64
    ) throws -> (stamp: ChangeStamp, change: LoggedChange)? {
        let stamp = ChangeStamp(
            seq: try row.int64(0), unread: try row.int64(1), unseen: try row.int64(2), delta: try row.int64(3))
        let columns = LoggedChange.Columns(
            kind: try row.int64(4), reference: try row.int64OrNil(5), place: try row.int64OrNil(6),
            ids: try row.textOrNil(7))
        return LoggedChange(columns, inbox: inbox).map { (stamp, $0) }
    }

    func list(_ filter: NotificationFilter, inbox: Int64) -> any ListReads {
        PostgresListReads(rows.connection, filter, inbox: inbox)
    }

    // MARK: Crowded inboxes

    private static let findCrowded = PostgresStatement(
        composed: """
            SELECT id, "user", ($3 > 0 AND held > $3) OR coalesce((
                SELECT stored_at FROM (
                    (SELECT stored_at, place FROM notification
                        WHERE inbox = page.id AND is_read ORDER BY place LIMIT 1)
                    UNION ALL
                    (SELECT stored_at, place FROM notification
                        WHERE inbox = page.id AND NOT is_read ORDER BY place LIMIT 1)) AS lowest
                ORDER BY place LIMIT 1) < $4, false)
            FROM (
                SELECT inbox.id, "user", total + coalesce(newest.id - inbox.seq, 0) AS held
                FROM inbox \(InboxRecord.newest) WHERE inbox.id > $1 ORDER BY inbox.id LIMIT $2) AS page
            ORDER BY id
            """)

    func crowded(
        after inbox: Int64, limit: Int, olderThan time: Timestamp?, maximumRows: Int64
    ) throws -> CrowdedInboxes {
        let looked = try rows.connection.run(
            Self.findCrowded,
            [.int64(inbox), .int64(Int64(limit)), .int64(maximumRows), .int64(time?.milliseconds)])
        let users = try looked.compactMap { row in try row.bool(2) ? UserID(key: try row.text(1)) : nil }
        return CrowdedInboxes(
            users: users, lastInbox: try looked.last?.int64(0) ?? inbox, isLast: looked.count < limit)
    }
}
