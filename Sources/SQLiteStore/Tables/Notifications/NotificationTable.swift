import Deliveries
import GRDB
import Inbox
import Store

/// The statements that write `notification`, and those that the writer reads with.
///
/// A ``PushOnlyNumber`` leads to the rows of `push_only` instead.
final class NotificationTable: NotificationRows {
    /// When a notification was stored or came up again. The row holds it only where it differs from the event's time.
    static let storingTime = "coalesce(stored_at, created_at)"

    private let db: Database
    private let pushOnly: PushOnlyTable
    private let readSpans: ReadSpanTable
    private let shown: ShownContents
    private let insertion: RowInsertion
    private let grow: Statement
    private let raise: Statement
    private let markRead: Statement
    private let markSeen: Statement
    private let closeBatch: Statement
    private let delete: Statement
    private let find: Statement
    private let findContent: Statement
    private let findOpenBatch: Statement
    private let findUpTo: Statement
    private let findLowest: Statement
    private let findOfActor: Statement

    init(_ db: Database, _ pushOnly: PushOnlyTable) throws {
        (self.db, self.pushOnly) = (db, pushOnly)
        shown = ShownContents(db)
        readSpans = try ReadSpanTable(db)
        let select = "SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = ?"
        let update: (String) -> String = { "UPDATE notification SET \($0) WHERE inbox = ? AND id = ?" }
        // A new notification's last change is its coming.
        insertion = RowInsertion(
            db, into: "notification",
            """
            inbox, id, content, created_at, rev, seq, is_read, is_seen, unread_after, unseen_after, batch_key, \
            stored_at, place, type_mark, group_mark
            """, values: "?, ?, ?, ?, 1, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?")
        grow = try db.statement(
            sql: update("content = ?, rev = ?, seq = ?, is_seen = ?, fresh = ?, fresh_from = ?, group_mark = ?"))
        raise = try db.statement(sql: update("place = ?, stored_at = ?"))
        // Reading closes the batch: the next event begins a new notification.
        markRead = try db.statement(sql: update("is_read = 1, is_seen = 1, fresh = 0, batch_key = NULL"))
        markSeen = try db.statement(sql: update("is_seen = 1, fresh = 0"))
        closeBatch = try db.statement(sql: update("batch_key = NULL"))
        delete = try db.statement(sql: "DELETE FROM notification WHERE inbox = ? AND id = ?")
        find = try db.statement(sql: "\(select) AND id = ?")
        findOpenBatch = try db.statement(sql: "\(select) AND batch_key = ?")
        findContent = try Statement(db, sql: "SELECT content FROM notification WHERE inbox = ? AND id = ?")
        // No content changes before its notification came, so rows with higher ids need no look.
        findUpTo = try db.statement(sql: "\(select) AND id <= ?2 AND seq <= ?2 ORDER BY id DESC")
        let aged = "id, \(Self.storingTime)"
        findLowest = try db.statement(
            sql: """
                SELECT \(aged), id AS place FROM notification WHERE inbox = ?1 AND place = id
                UNION ALL
                SELECT \(aged), place FROM notification INDEXED BY notification_raised WHERE inbox = ?1 AND place <> id
                ORDER BY place LIMIT ?2
                """)
        findOfActor = try db.statement(
            sql: """
                SELECT \(NotificationRecord.columns) FROM (
                    SELECT \(NotificationRecord.columnsBeforePlace), id AS place FROM notification
                    WHERE inbox = ?1 AND place = id
                    UNION ALL
                    SELECT \(NotificationRecord.columns) FROM notification INDEXED BY notification_raised
                    WHERE inbox = ?1 AND place <> id
                    ORDER BY place DESC LIMIT ?4)
                WHERE EXISTS (SELECT 1 FROM content WHERE content.id = content AND type = ?2 AND actor = ?3) LIMIT ?5
                """)
    }

    // MARK: Looking

    func record(inbox: Int64, id: Int64) throws -> NotificationRecord? {
        if PushOnlyNumber.isOne(id) { return try pushOnly.record(inbox: inbox, id: id) }
        return try find.first([inbox, id], NotificationRecord.init)
    }

    /// The row of a notification's content; nil for a missing notification.
    func content(inbox: Int64, id: Int64) throws -> Int64? {
        if PushOnlyNumber.isOne(id) { return try pushOnly.record(inbox: inbox, id: id)?.contentID }
        return try findContent.first(
            { arguments in
                arguments.append(inbox)
                arguments.append(id)
            }, { try $0.int(0) })
    }

    /// The unread notification that an event with this batch key may still grow.
    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord? {
        try findOpenBatch.first([inbox, key], NotificationRecord.init)
    }

    /// All rows whose content last changed at or before `seq`, newest first.
    func upTo(_ seq: Int64, inbox: Int64) throws -> [NotificationRecord] {
        try findUpTo.all([inbox, seq], NotificationRecord.init)
    }

    func lowest(inbox: Int64, limit: Int) throws -> [(id: Int64, storedAt: Timestamp)] {
        try findLowest.all([inbox, limit]) { row in
            var row = CheckedRow(row)
            return (row.count(0), row.time(1))
        }
    }

    func highest(
        _ limit: Int, of type: String, by actor: String, inbox: Int64, window: Int
    ) throws -> [NotificationRecord] {
        try findOfActor.all([inbox, type, actor, window, limit], NotificationRecord.init)
    }

    func contents(_ wanted: [(inbox: Int64, notification: Int64)]) throws -> [(content: Int64, rev: Int64)?] {
        var shown = try shown.contents(wanted)
        for (place, one) in wanted.enumerated() where PushOnlyNumber.isOne(one.notification) {
            let record = try pushOnly.record(inbox: one.inbox, id: one.notification)
            shown[place] = record.map { (content: $0.contentID, rev: $0.rev) }
        }
        return shown
    }

    // MARK: Lists

    func unread(inbox: Int64, count: Int64) throws -> [NotificationRecord] {
        let list = ListReader(db, NotificationFilter(unreadOnly: true), inbox: inbox)
        return try list.rows(in: ListSpan(), limit: Int(clamping: count), skipping: 0)
    }

    func unseen(inbox: Int64, count: Int64) throws -> [NotificationRecord] {
        try ListReader(db, NotificationFilter(unreadOnly: true), inbox: inbox).unseen(count)
    }

    func unread(ofGroup group: String, inbox: Int64) throws -> [NotificationRecord] {
        try ListReader(db, NotificationFilter(unreadOnly: true, group: group), inbox: inbox).all()
    }

    func hasAny(ofGroup group: String, inbox: Int64) throws -> Bool {
        let list = ListReader(db, NotificationFilter(group: group), inbox: inbox)
        return try !list.rows(in: ListSpan(), limit: 1, skipping: 0).isEmpty
    }

    // MARK: Writing

    /// Writes notifications that have just come.
    func insert(_ rows: [NewNotification]) throws {
        try insertion.insert(rows) { row, arguments in
            let record = row.pointee.record
            arguments.append(row.pointee.inbox)
            arguments.append(record.id)
            arguments.append(record.contentID)
            arguments.append(record.createdAt.milliseconds)
            arguments.append(record.seq)
            arguments.append(record.unreadAfter)
            arguments.append(record.unseenAfter)
            arguments.append(row.pointee.batchKey)
            let storedAt = row.pointee.storedAt
            arguments.append(storedAt == record.createdAt ? nil : storedAt.milliseconds)
            arguments.append(record.place)
            arguments.append(row.pointee.marks.type)
            arguments.append(row.pointee.marks.group)
        }
    }

    /// Writes the record's content, `rev`, `seq`, and how much of it was seen.
    func grow(_ record: NotificationRecord, _ marks: ContentMarks, inbox: Int64) throws {
        if record.isPushOnly { return try pushOnly.grow(record, inbox: inbox) }
        try grow.execute(
            arguments: [
                record.contentID, record.rev, record.seq, record.isSeen, record.fresh.count, record.fresh.from,
                marks.group, inbox, record.id,
            ])
    }

    /// Writes the record's new place, and lets it age from now on, like its new neighbours.
    /// - Parameter place: where it stood, unread.
    func raise(_ record: NotificationRecord, from place: Int64, inbox: Int64, at now: Timestamp) throws {
        try raise.execute(arguments: [record.place, now.milliseconds, inbox, record.id])
        try readSpans.join(around: place, inbox: inbox)
    }

    /// - Parameter rows: unread ones.
    func markRead(_ rows: [NotificationRecord], inbox: Int64) throws {
        for row in rows { try markRead.execute(arguments: [inbox, row.id]) }
        try readSpans.add(rows.map(\.place), inbox: inbox)
    }

    func markSeen(_ rows: [NotificationRecord], inbox: Int64) throws {
        for row in rows { try markSeen.execute(arguments: [inbox, row.id]) }
    }

    func closeBatch(inbox: Int64, id: Int64) throws { try closeBatch.execute(arguments: [inbox, id]) }

    func remove(_ rows: [NotificationRecord], inbox: Int64) throws {
        try delete(rows, inbox: inbox)
        for row in rows where !row.isRead && !row.isPushOnly { try readSpans.join(around: row.place, inbox: inbox) }
    }

    /// Of an inbox that is gone, whose stretches of read ones are forgotten with it.
    func delete(_ rows: [NotificationRecord], inbox: Int64) throws {
        for row in rows {
            if row.isPushOnly {
                try pushOnly.delete(inbox: inbox, id: row.id)
            } else {
                try delete.execute(arguments: [inbox, row.id])
            }
        }
    }

    /// Forgets the stretches of read ones of an inbox that is gone.
    func eraseSpans(inbox: Int64) throws { try readSpans.erase(inbox: inbox) }
}
