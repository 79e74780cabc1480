import GRDB
import Inbox

/// One row of `notification`, its content by number.
struct NotificationRecord {
    /// The `seq` at which it came, and its number within the inbox.
    let id: Int64
    var contentID: Int64
    let createdAt: Timestamp
    var rev: Int64
    /// The `seq` at which its content last changed.
    var seq: Int64
    var isRead: Bool
    var isSeen: Bool
    /// The inbox's counts right after it came.
    let unreadAfter: Int64
    let unseenAfter: Int64
    var fresh = FreshContent()
    /// Where it stands in lists: the `seq` at which it came, or at which it came up again.
    var place: Int64
    /// Whether its row is, or what that shows: no list shows it.
    private(set) var isDamaged = false

    static let columns = "\(columnsBeforePlace), place"
    /// Behind them comes the ``place``, in whatever way it is found.
    static let columnsBeforePlace =
        "id, content, created_at, rev, seq, is_read, is_seen, unread_after, unseen_after, fresh, fresh_from"
    static let isReadColumn = 5
    static let placeColumn = 11

    /// Whether it is pushed and stands in no inbox.
    var isPushOnly: Bool { PushOnlyNumber.isOne(id) }

    /// A new notification.
    init(stamp: ChangeStamp, contentID: Int64, createdAt: Timestamp) {
        (id, seq, rev, place) = (stamp.seq, stamp.seq, 1, stamp.seq)
        (unreadAfter, unseenAfter) = (stamp.unread, stamp.unseen)
        (self.contentID, self.createdAt) = (contentID, createdAt)
        (isRead, isSeen) = (false, false)
    }

    /// A new one that is only pushed.
    init(pushOnly number: Int64, contentID: Int64, createdAt: Timestamp) {
        self.init(
            stamp: ChangeStamp(seq: number, unread: 0, unseen: 0, delta: 0), contentID: contentID, createdAt: createdAt)
    }

    /// - Parameter row: the ``columns``.
    init(_ row: StoredRow) {
        var row = CheckedRow(row)
        id = row.count(0)
        contentID = row.count(1)
        createdAt = row.time(2)
        rev = row.count(3)
        seq = row.count(4)
        isRead = row.flag(Self.isReadColumn)
        isSeen = row.flag(6)
        unreadAfter = row.count(7)
        unseenAfter = row.count(8)
        fresh = FreshContent(count: row.count(9), from: row.optionalText(10))
        place = row.count(Self.placeColumn)
        isDamaged = row.isDamaged
    }

    func notification(inbox: Int64, _ content: Content) -> Notification {
        Notification(
            id: NotificationID(inbox: inbox, sequence: id), content: content, createdAt: createdAt, rev: rev, seq: seq,
            isRead: isRead, isSeen: isSeen, place: place)
    }
}

/// The statements that write `notification`, and those with which the writer looks before it does.
///
/// By a number that is a ``PushOnlyNumber`` it finds and writes rows of `push_only`.
final class NotificationTable {
    /// A row to come.
    struct NewRow {
        let record: NotificationRecord
        /// By which it ages, whenever its event says that it happened.
        let storedAt: Timestamp
        let inbox: Int64
        let batchKey: String?
        let marks: ContentMarks
    }

    /// When a notification was stored, of its row: told apart from what its event says only where they differ.
    static let storingTime = "coalesce(stored_at, created_at)"

    let pushOnly: PushOnlyTable
    let readSpans: ReadSpanTable
    private let insertion: RowInsertion
    private let grow: Statement
    private let raise: Statement
    private let markRead: Statement
    private let markSeen: Statement
    private let closeBatch: Statement
    private let delete: Statement
    private let find: Statement
    private let findContent: DirectStatement
    private let findOpenBatch: Statement
    private let findUpTo: Statement

    init(_ db: Database) throws {
        pushOnly = try PushOnlyTable(db)
        readSpans = try ReadSpanTable(db)
        let select = "SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = ?"
        let update: (String) -> String = { "UPDATE notification SET \($0) WHERE inbox = ? AND id = ?" }
        // What came just now has changed last when it came.
        insertion = RowInsertion(
            db, into: "notification",
            """
            inbox, id, content, created_at, rev, seq, is_read, is_seen, unread_after, unseen_after, batch_key, \
            stored_at, place, type_mark, group_mark
            """, values: "?, ?, ?, ?, 1, ?, 0, 0, ?, ?, ?, ?, ?, ?, ?")
        grow = try db.cachedStatement(
            sql: update("content = ?, rev = ?, seq = ?, is_seen = ?, fresh = ?, fresh_from = ?, group_mark = ?"))
        raise = try db.cachedStatement(sql: update("place = ?"))
        // Reading closes the batch: what comes next begins a new notification.
        markRead = try db.cachedStatement(sql: update("is_read = 1, is_seen = 1, fresh = 0, batch_key = NULL"))
        markSeen = try db.cachedStatement(sql: update("is_seen = 1, fresh = 0"))
        closeBatch = try db.cachedStatement(sql: update("batch_key = NULL"))
        delete = try db.cachedStatement(sql: "DELETE FROM notification WHERE inbox = ? AND id = ?")
        find = try db.cachedStatement(sql: "\(select) AND id = ?")
        findOpenBatch = try db.cachedStatement(sql: "\(select) AND batch_key = ?")
        findContent = try DirectStatement(db, sql: "SELECT content FROM notification WHERE inbox = ? AND id = ?")
        // A content cannot change before its row came, so rows beyond need no look.
        findUpTo = try db.cachedStatement(sql: "\(select) AND id <= ?2 AND seq <= ?2 ORDER BY id DESC")
    }

    // MARK: Looking

    func record(inbox: Int64, id: Int64) throws -> NotificationRecord? {
        if PushOnlyNumber.isOne(id) { return try pushOnly.record(inbox: inbox, id: id) }
        return try find.first([inbox, id], NotificationRecord.init)
    }

    /// The row of a notification's content; nil for one that is gone.
    func content(inbox: Int64, id: Int64) throws -> Int64? {
        if PushOnlyNumber.isOne(id) { return try pushOnly.record(inbox: inbox, id: id)?.contentID }
        return try findContent.first(
            { arguments in
                arguments.append(inbox)
                arguments.append(id)
            }, { try $0.int(0) })
    }

    /// The notification that an event with this batch key may still grow; it is unread.
    func openBatch(inbox: Int64, key: String) throws -> NotificationRecord? {
        try findOpenBatch.first([inbox, key], NotificationRecord.init)
    }

    /// All rows whose content last changed at or before `seq`, newest first.
    func upTo(_ seq: Int64, inbox: Int64) throws -> [NotificationRecord] {
        try findUpTo.all([inbox, seq], NotificationRecord.init)
    }

    // MARK: Writing

    /// Writes notifications that have just come.
    func insert(_ rows: [NewRow]) throws {
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

    /// Writes the record's content, `rev`, `seq`, and what of it was seen.
    func grow(_ record: NotificationRecord, _ marks: ContentMarks, inbox: Int64) throws {
        if record.isPushOnly { return try pushOnly.grow(record, inbox: inbox) }
        try grow.execute(
            arguments: [
                record.contentID, record.rev, record.seq, record.isSeen, record.fresh.count, record.fresh.from,
                marks.group, inbox, record.id,
            ])
    }

    /// Writes the record's place, which has changed.
    /// - Parameter place: where it stood, unread.
    func raise(_ record: NotificationRecord, from place: Int64, inbox: Int64) throws {
        try raise.execute(arguments: [record.place, inbox, record.id])
        try readSpans.join(around: place, inbox: inbox)
    }

    /// - Parameter rows: unread ones.
    func markRead(_ rows: [NotificationRecord], inbox: Int64) throws {
        for row in rows { try markRead.execute(arguments: [inbox, row.id]) }
        try readSpans.add(rows.map(\.place), inbox: inbox)
    }

    func markSeen(inbox: Int64, id: Int64) throws { try markSeen.execute(arguments: [inbox, id]) }
    func closeBatch(inbox: Int64, id: Int64) throws { try closeBatch.execute(arguments: [inbox, id]) }
    func delete(inbox: Int64, id: Int64) throws {
        if PushOnlyNumber.isOne(id) { return try pushOnly.delete(inbox: inbox, id: id) }
        try delete.execute(arguments: [inbox, id])
    }
}
