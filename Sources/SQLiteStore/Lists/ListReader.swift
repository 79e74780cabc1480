import Deliveries
import GRDB
import Inbox
import JSON
import Store

/// Reads rows of one inbox in the order of its list, all as of the snapshot that `db` is in.
///
/// A page of the whole list reads only its own rows. A page of unread rows reads a few more, however many read ones lie
/// between (``UnreadRows``). A filter by types or a group reads each row of the inbox, or each unread one, but no
/// content. A count reads each row that it counts.
struct ListReader: ListReads {
    private let db: Database
    private let inbox: Int64
    private let isUnreadOnly: Bool
    /// The arguments of ``marked``; empty if that is empty.
    private let marks: Arguments
    /// The condition for rows of chosen types or of one group; empty for all rows.
    private let marked: String

    init(_ db: Database, _ filter: NotificationFilter, inbox: Int64) {
        (self.db, self.inbox, isUnreadOnly) = (db, inbox, filter.unreadOnly)
        if filter.types == nil, filter.group == nil {
            (marks, marked) = ([], "")
        } else {
            let types = filter.types.map { JSONValue.array($0.map(ListMark.of).sorted().map(JSONValue.int)).encoded }
            marks = [types.map { String(decoding: $0, as: UTF8.self) }, filter.group.map(ListMark.of)]
            marked = """
                 AND (?4 IS NULL OR type_mark IN (SELECT value FROM json_each(?4)))
                    AND (?5 IS NULL OR group_mark = ?5)
                """
        }
    }

    // MARK: Rows

    /// All rows that pass the filter.
    func all() throws -> [NotificationRecord] { try rows(in: ListSpan(), limit: .max, skipping: 0) }

    func rows(in span: ListSpan, limit: Int, skipping skipped: Int64) throws -> [NotificationRecord] {
        if isUnreadOnly { return try unreadRows(in: span, limit: limit, skipping: skipped) }
        let first = marked.isEmpty ? 4 : 6
        let statement = try statement(
            NotificationRecord.columnsBeforePlace, end: "LIMIT ?\(first) OFFSET ?\(first + 1)")
        return try statement.all(arguments(span) + [limit, skipped], NotificationRecord.init)
    }

    func row(_ id: Int64) throws -> NotificationRecord? {
        let unread = isUnreadOnly ? " AND is_read = 0" : ""
        let statement = try db.statement(
            sql: """
                SELECT \(NotificationRecord.columns) FROM notification
                WHERE inbox = ?1 AND id > ?2 AND id <= ?3\(unread)\(marked)
                """)
        return try statement.first(arguments(ListSpan(above: id - 1, upTo: id)), NotificationRecord.init)
    }

    func grouped() throws -> [GroupedRow] {
        try statement("id, is_read, group_mark").all(arguments(ListSpan())) { row in
            var row = CheckedRow(row)
            return GroupedRow(id: row.count(0), isRead: row.flag(1), group: row.optionalCount(2))
        }
    }

    /// Selects from the list. Nearly all rows have the same place in it as in the table, so it is joined from two
    /// selections.
    ///
    /// - Parameter columns: the place is added behind them.
    private func statement(_ columns: String, end: String = "") throws -> Statement {
        try db.statement(
            sql: """
                SELECT \(columns), id AS place FROM notification
                WHERE inbox = ?1 AND place = id AND id > ?2 AND id <= ?3\(marked)
                UNION ALL
                SELECT \(columns), place FROM notification INDEXED BY notification_raised
                WHERE inbox = ?1 AND place <> id AND place > ?2 AND place <= ?3\(marked)
                ORDER BY place DESC \(end)
                """)
    }

    private func arguments(_ span: ListSpan) -> Arguments { [inbox, span.above, span.upTo] + marks }

    // MARK: Unread rows

    private func unreadRows(in span: ListSpan, limit: Int, skipping skipped: Int64) throws -> [NotificationRecord] {
        guard limit > 0 else { return [] }
        var (rows, rest): ([NotificationRecord], Int64) = ([], skipped)
        try forEachUnread(in: span) { row in
            if rest > 0 { rest -= 1 } else { rows.append(NotificationRecord(row)) }
            return rows.count < limit
        }
        return rows
    }

    /// The unseen rows among the unread ones.
    /// - Parameter count: how many there are; the search ends there.
    func unseen(_ count: Int64) throws -> [NotificationRecord] {
        guard count > 0 else { return [] }
        var rows: [NotificationRecord] = []
        try forEachUnread(in: ListSpan()) { row in
            let record = NotificationRecord(row)
            if !record.isSeen { rows.append(record) }
            return rows.count < count
        }
        return rows
    }

    private func countOfUnread(in span: ListSpan, _ counts: (StoredRow) throws -> Bool = { _ in true }) throws -> Int64
    {
        var count: Int64 = 0
        try forEachUnread(in: span) { row in
            if try counts(row) { count += 1 }
            return true
        }
        return count
    }

    /// - Parameter visit: gets each unread row that passes, with a record's columns; returns whether to go on.
    private func forEachUnread(in span: ListSpan, _ visit: (StoredRow) throws -> Bool) throws {
        // Includes rows of other types and groups, as these count for the stretches that are skipped.
        let passes = marked.isEmpty ? "1" : "(1\(marked)) IS TRUE"
        let columns = NotificationRecord.columnsBeforePlace
        let statement = try db.statement(
            sql: """
                SELECT \(columns), id AS place, \(passes) FROM notification
                WHERE inbox = ?1 AND place = id AND id > ?2 AND id <= ?3
                UNION ALL
                SELECT \(columns), place, \(passes) FROM notification INDEXED BY notification_raised
                WHERE inbox = ?1 AND place <> id AND place > ?2 AND place <= ?3
                ORDER BY place DESC
                """)
        try UnreadRows(db: db, inbox: inbox).forEach(in: span, statement, arguments) { row in
            try !row.bool(NotificationRecord.placeColumn + 1) || visit(row)
        }
    }

    // MARK: Counts

    func count(in span: ListSpan) throws -> Int64 {
        if isUnreadOnly { return try countOfUnread(in: span) }
        return try count(
            """
            SELECT (SELECT count(*) FROM notification
                    WHERE inbox = ?1 AND place = id AND id > ?2 AND id <= ?3\(marked))
                + (SELECT count(*) FROM notification INDEXED BY notification_raised
                    WHERE inbox = ?1 AND place <> id AND place > ?2 AND place <= ?3\(marked))
            """, arguments(span))
    }

    func countOfNewcomers(after seq: Int64) throws -> Int64 {
        // A later notification stands higher.
        if isUnreadOnly { return try countOfUnread(in: ListSpan(above: seq)) { try $0.int(0) > seq } }
        return try count("SELECT count(*) FROM notification WHERE inbox = ?1 AND id > ?2", [inbox, seq])
    }

    private func count(_ sql: String, _ arguments: Arguments) throws -> Int64 {
        try db.statement(sql: sql).first(arguments) { try $0.int(0) } ?? 0
    }

    // MARK: Places

    func place(of id: Int64) throws -> Int64? {
        let statement = try db.statement(sql: "SELECT place FROM notification WHERE inbox = ? AND id = ?")
        return try statement.first([inbox, id]) { try $0.int(0) }
    }

    func raised(since seq: Int64) throws -> [(id: Int64, place: Int64?)] {
        let statement = try db.statement(
            sql: "SELECT reference, ids FROM change WHERE inbox = ? AND seq > ? AND kind = 8 ORDER BY seq")
        return try statement.all([inbox, seq]) { row in
            var row = CheckedRow(row)
            return (id: row.count(0), place: Int64(row.text(1)))
        }
    }
}
