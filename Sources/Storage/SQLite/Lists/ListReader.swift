import GRDB
import Inbox
import JSON

/// Reads rows of one inbox in the order of its list, all as of the snapshot that `db` is in.
///
/// What it costs, in rows that are looked at: a part of the whole list those of that part, and of unread ones the same, however
/// many others there are; types and groups each row of the inbox, or each unread one, but no content. Counts look at each row
/// that they count, of unread ones in the index alone.
struct ListReader {
    /// Rows whose places are higher than `above`, up to `upTo`.
    struct Span {
        var above: Int64 = 0
        var upTo = Int64.max

        func contains(_ place: Int64) -> Bool { place > above && place <= upTo }
    }

    /// What a line of groups is made of.
    struct GroupedRow {
        let id: Int64
        let isRead: Bool
        let group: Int64?
    }

    private let db: Database
    private let inbox: Int64
    private let isUnreadOnly: Bool
    /// The arguments of ``marked``; empty where it is.
    private let marks: StatementArguments
    /// Rows of chosen types or of one group; empty for all.
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

    /// All rows that pass.
    func all() throws -> [NotificationRecord] { try rows(in: Span(), limit: .max, skipping: 0) }

    /// - Parameter skipping: so many rows of the span are passed over.
    func rows(in span: Span, limit: Int, skipping skipped: Int64) throws -> [NotificationRecord] {
        let first = marked.isEmpty ? 4 : 6
        let statement = try statement(
            NotificationRecord.columnsBeforePlace, end: "LIMIT ?\(first) OFFSET ?\(first + 1)")
        return try statement.all(arguments(span) + [limit, skipped], NotificationRecord.init)
    }

    /// A row that passes; nil if it does not, or is gone.
    func row(_ id: Int64) throws -> NotificationRecord? {
        let unread = isUnreadOnly ? " AND is_read = 0" : ""
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(NotificationRecord.columns) FROM notification
                WHERE inbox = ?1 AND id > ?2 AND id <= ?3\(unread)\(marked)
                """)
        return try statement.first(arguments(Span(above: id - 1, upTo: id)), NotificationRecord.init)
    }

    /// All rows that pass, without what only one of them is shown for.
    func grouped() throws -> [GroupedRow] {
        try statement("id, is_read, group_mark").all(arguments(Span())) { row in
            var row = CheckedRow(row)
            return GroupedRow(id: row.count(0), isRead: row.flag(1), group: row.optionalCount(2))
        }
    }

    /// Selects from the list. Nearly all rows stand in it where they stand in the table, so that these two lists make it.
    ///
    /// - Parameter columns: they get the place behind them.
    private func statement(_ columns: String, end: String = "") throws -> Statement {
        let span = "place > ?2 AND place <= ?3\(marked)"
        let unread = """
            SELECT \(columns), place FROM notification INDEXED BY notification_unread
            WHERE inbox = ?1 AND is_read = 0 AND \(span)
            """
        let all = """
            SELECT \(columns), id AS place FROM notification
            WHERE inbox = ?1 AND place = id AND id > ?2 AND id <= ?3\(marked)
            UNION ALL
            SELECT \(columns), place FROM notification INDEXED BY notification_raised
            WHERE inbox = ?1 AND place <> id AND \(span)
            """
        return try db.cachedStatement(sql: "\(isUnreadOnly ? unread : all) ORDER BY place DESC \(end)")
    }

    private func arguments(_ span: Span) -> StatementArguments { [inbox, span.above, span.upTo] + marks }

    // MARK: Counts

    /// How many rows that pass stand there.
    func count(in span: Span) throws -> Int64 {
        let unread = """
            SELECT count(*) FROM notification INDEXED BY notification_unread
            WHERE inbox = ?1 AND is_read = 0 AND place > ?2 AND place <= ?3\(marked)
            """
        let all = """
            SELECT (SELECT count(*) FROM notification
                    WHERE inbox = ?1 AND place = id AND id > ?2 AND id <= ?3\(marked))
                + (SELECT count(*) FROM notification INDEXED BY notification_raised
                    WHERE inbox = ?1 AND place <> id AND place > ?2 AND place <= ?3\(marked))
            """
        return try count(isUnreadOnly ? unread : all, arguments(span))
    }

    /// How many rows have come since, of all or of the unread ones, whatever their types and groups.
    func countOfNewcomers(after seq: Int64) throws -> Int64 {
        let all = "SELECT count(*) FROM notification WHERE inbox = ?1 AND id > ?2"
        // What came later stands higher.
        let unread = """
            SELECT count(*) FROM notification INDEXED BY notification_unread
            WHERE inbox = ?1 AND is_read = 0 AND place > ?2 AND id > ?2
            """
        return try count(isUnreadOnly ? unread : all, [inbox, seq])
    }

    private func count(_ sql: String, _ arguments: StatementArguments) throws -> Int64 {
        try db.cachedStatement(sql: sql).first(arguments) { try $0.int(0) } ?? 0
    }

    // MARK: Places

    /// Where a notification stands; where it came, if it is gone.
    func place(of id: Int64) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT place FROM notification WHERE inbox = ? AND id = ?")
        return try statement.first([inbox, id]) { try $0.int(0) } ?? id
    }

    /// The rows that pass of those that have come up since `seq`, and where each stood then.
    ///
    /// Of a `seq` that the change log does not know any more some are missing.
    func raised(since seq: Int64) throws -> [ListedRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT reference, ids FROM change WHERE inbox = ? AND seq > ? AND kind = 8 ORDER BY seq")
        var places: [Int64: Int64] = [:]
        let changes = try statement.all([inbox, seq]) { row in
            var row = CheckedRow(row)
            return (id: row.count(0), place: Int64(row.text(1)))
        }
        for change in changes {
            // One whose place cannot be read stands where it is now.
            guard change.id <= seq, places[change.id] == nil, let place = change.place else { continue }
            places[change.id] = place
        }
        return try places.sorted { $0.value > $1.value }.compactMap { id, place in
            try row(id).map { ListedRow(place: place, record: $0) }
        }
    }
}

/// A row, and where it stands in the list as of a moment.
struct ListedRow {
    let place: Int64
    let record: NotificationRecord
}
