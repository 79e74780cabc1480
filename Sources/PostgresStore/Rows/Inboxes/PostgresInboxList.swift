import Deliveries
import Inbox
import Postgres

/// Notifications of inboxes. A number of a push-only notification leads to `push_only`.
final class PostgresInboxList: PostgresPart, NotificationRows {
    // MARK: Looking

    private static let select = "SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = $1"
    private static let find = PostgresStatement(composed: "\(select) AND id = $2")
    private static let findSome = PostgresStatement(
        composed: """
            SELECT \(NotificationRecord.columns(of: "notification")), notification.inbox
            FROM unnest($1, $2) AS wanted (inbox, id)
            JOIN notification ON notification.inbox = wanted.inbox AND notification.id = wanted.id
            """)
    // No content changes before its notification came, so rows with higher ids need no look.
    private static let findUpTo = PostgresStatement(composed: "\(select) AND id <= $2 AND seq <= $2 ORDER BY id DESC")
    private static let findUnread = PostgresStatement(
        composed: "\(select) AND NOT is_read ORDER BY place DESC LIMIT $2")
    private static let findUnseen = PostgresStatement(
        composed: "\(select) AND NOT is_read AND NOT is_seen ORDER BY place DESC LIMIT $2")
    private static let findOfGroup = PostgresStatement(
        composed: "\(select) AND NOT is_read AND group_mark = $2 ORDER BY place DESC")
    private static let findLowest = PostgresStatement(
        composed: "\(NotificationRecord.listed("id, stored_at, place", by: "place")) LIMIT $4")

    private func records(_ statement: PostgresStatement, _ values: [Int64]) throws -> [NotificationRecord] {
        try rows.gathered.writeNotifications()
        return try connection.run(statement, values.map { .int64($0) }).map(NotificationRecord.init)
    }

    func record(inbox: Int64, id: Int64) throws -> NotificationRecord? {
        if PushOnlyNumber.isOne(id) { return try PostgresPushOnly(rows).record(inbox: inbox, id: id) }
        if let known = rows.facts.notification(id, inbox: inbox) { return known }
        return try records(Self.find, [inbox, id]).first
    }

    func content(inbox: Int64, id: Int64) throws -> Int64? {
        try contents([(inbox: inbox, notification: id)]).first.flatMap { $0?.content }
    }

    func contents(_ wanted: [(inbox: Int64, notification: Int64)]) throws -> [(content: Int64, rev: Int64)?] {
        if wanted.isEmpty { return [] }
        try rows.gathered.writeNotifications()
        let found = try connection.run(
            """
            SELECT coalesce(listed.content, pushed.content), coalesce(listed.rev, pushed.rev)
            FROM unnest($1, $2) WITH ORDINALITY AS wanted (inbox, id, number)
            LEFT JOIN notification AS listed ON listed.inbox = wanted.inbox AND listed.id = wanted.id
            LEFT JOIN push_only AS pushed ON pushed.inbox = wanted.inbox AND pushed.id = wanted.id
            ORDER BY wanted.number
            """,
            [.int64s(wanted.map(\.inbox)), .int64s(wanted.map(\.notification))])
        return try found.map { row in
            guard let content = try row.int64OrNil(0) else { return nil }
            return (content, try row.int64(1))
        }
    }

    func upTo(_ seq: Int64, inbox: Int64) throws -> [NotificationRecord] { try records(Self.findUpTo, [inbox, seq]) }

    func lowest(inbox: Int64, limit: Int) throws -> [(id: Int64, storedAt: Timestamp)] {
        let values: [Int64] = [inbox, 0, .max, Int64(limit)]
        try rows.gathered.writeNotifications()
        return try connection.run(Self.findLowest, values.map { .int64($0) }).map { row in
            (try row.int64(0), Timestamp(milliseconds: try row.int64(1)))
        }
    }

    // MARK: Lists

    func unread(inbox: Int64, count: Int64) throws -> [NotificationRecord] {
        count > 0 ? try records(Self.findUnread, [inbox, count]) : []
    }

    func unseen(inbox: Int64, count: Int64) throws -> [NotificationRecord] {
        count > 0 ? try records(Self.findUnseen, [inbox, count]) : []
    }

    func unread(ofGroup group: String, inbox: Int64) throws -> [NotificationRecord] {
        try records(Self.findOfGroup, [inbox, ListMark.of(group)])
    }

    func hasAny(ofGroup group: String, inbox: Int64) throws -> Bool {
        try rows.gathered.writeNotifications()
        return try connection.run(
            "SELECT EXISTS (SELECT FROM notification WHERE inbox = $1 AND group_mark = $2)",
            [.int64(inbox), .int64(ListMark.of(group))])[0].bool(0)
    }

    /// Looks up notifications, and returns the rows of their contents.
    func fetch(_ ids: [NotificationID]) throws -> [Int64] {
        if ids.isEmpty { return [] }
        try rows.gathered.writeNotifications()
        for id in ids { rows.facts.keep(nil, as: id.sequence, inbox: id.inbox) }
        let found = try connection.run(
            Self.findSome, [.int64s(ids.map(\.inbox)), .int64s(ids.map(\.sequence))])
        return try found.map { row in
            let record = try NotificationRecord(row)
            rows.facts.keep(record, as: record.id, inbox: try row.int64(NotificationRecord.columnCount))
            return record.contentID
        }
    }

    // MARK: Writing

    func grow(_ record: NotificationRecord, _ marks: ContentMarks, inbox: Int64) throws {
        if record.isPushOnly { return try PostgresPushOnly(rows).grow(record, inbox: inbox) }
        rows.facts.changed(record, inbox: inbox)
        rows.gathered.grow(record, group: marks.group, inbox: inbox)
    }

    func raise(_ record: NotificationRecord, from place: Int64, inbox: Int64, at now: Timestamp) throws {
        rows.facts.changed(record, inbox: inbox)
        if rows.gathered.raise(record, inbox: inbox, at: now) { return }
        try change(
            inbox, "UPDATE notification SET place = $3, stored_at = $4 WHERE inbox = $1 AND id = $2",
            [.int64(inbox), .int64(record.id), .int64(record.place), .int64(now.milliseconds)])
    }

    func markRead(_ rows: [NotificationRecord], inbox: Int64) throws {
        // Reading closes the batch: the next event begins a new notification.
        try change(
            inbox,
            """
            UPDATE notification SET is_read = true, is_seen = true, fresh = 0, batch_key = NULL
            WHERE inbox = $1 AND id = ANY($2)
            """,
            [.int64(inbox), .int64s(rows.map(\.id))])
    }

    func markSeen(_ rows: [NotificationRecord], inbox: Int64) throws {
        try change(
            inbox, "UPDATE notification SET is_seen = true, fresh = 0 WHERE inbox = $1 AND id = ANY($2)",
            [.int64(inbox), .int64s(rows.map(\.id))])
    }

    func closeBatch(inbox: Int64, id: Int64) throws {
        rows.facts.closedBatch(inbox: inbox, id: id)
        try rows.gathered.writeNotifications()
        try connection.queue(
            "UPDATE notification SET batch_key = NULL WHERE inbox = $1 AND id = $2", [.int64(inbox), .int64(id)])
    }

    func remove(_ rows: [NotificationRecord], inbox: Int64) throws {
        let listed = rows.filter { !$0.isPushOnly }.map(\.id)
        if !listed.isEmpty {
            try change(
                inbox, "DELETE FROM notification WHERE inbox = $1 AND id = ANY($2)", [.int64(inbox), .int64s(listed)])
        }
        let pushed = rows.filter(\.isPushOnly).map(\.id)
        if !pushed.isEmpty {
            try connection.queue(
                "DELETE FROM push_only WHERE inbox = $1 AND id = ANY($2)", [.int64(inbox), .int64s(pushed)])
        }
    }

    /// Changes rows of an inbox, behind those that are gathered.
    private func change(_ inbox: Int64, _ statement: PostgresStatement, _ values: [PostgresValue]) throws {
        rows.facts.forgetNotifications(inbox: inbox)
        try rows.gathered.writeNotifications()
        try connection.queue(statement, values)
    }
}
