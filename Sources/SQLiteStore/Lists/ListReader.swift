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
struct ListReader {
    /// The rows whose places are above `above`, up to `upTo`.
    struct Span {
        var above: Int64 = 0
        var upTo = Int64.max

        func contains(_ place: Int64) -> Bool { place > above && place <= upTo }
    }

    /// A row as the list of groups needs it.
    struct GroupedRow {
        let id: Int64
        let isRead: Bool
        let group: Int64?
    }

    private let db: Database
    private let inbox: Int64
    private let isUnreadOnly: Bool
    /// The arguments of ``marked``; empty if that is empty.
    private let marks: StatementArguments
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
    func all() throws -> [NotificationRecord] { try rows(in: Span(), limit: .max, skipping: 0) }

    /// - Parameter skipping: how many rows of the span are skipped.
    func rows(in span: Span, limit: Int, skipping skipped: Int64) throws -> [NotificationRecord] {
        if isUnreadOnly { return try unreadRows(in: span, limit: limit, skipping: skipped) }
        let first = marked.isEmpty ? 4 : 6
        let statement = try statement(
            NotificationRecord.columnsBeforePlace, end: "LIMIT ?\(first) OFFSET ?\(first + 1)")
        return try statement.all(arguments(span) + [limit, skipped], NotificationRecord.init)
    }

    /// A row that passes the filter; nil if it does not, or is gone.
    func row(_ id: Int64) throws -> NotificationRecord? {
        let unread = isUnreadOnly ? " AND is_read = 0" : ""
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(NotificationRecord.columns) FROM notification
                WHERE inbox = ?1 AND id > ?2 AND id <= ?3\(unread)\(marked)
                """)
        return try statement.first(arguments(Span(above: id - 1, upTo: id)), NotificationRecord.init)
    }

    /// All rows that pass the filter, with the columns that groups need.
    func grouped() throws -> [GroupedRow] {
        try statement("id, is_read, group_mark").all(arguments(Span())) { row in
            var row = CheckedRow(row)
            return GroupedRow(id: row.count(0), isRead: row.flag(1), group: row.optionalCount(2))
        }
    }

    /// Selects from the list. Nearly all rows have the same place in it as in the table, so it is joined from two
    /// selections.
    ///
    /// - Parameter columns: the place is added behind them.
    private func statement(_ columns: String, end: String = "") throws -> Statement {
        try db.cachedStatement(
            sql: """
                SELECT \(columns), id AS place FROM notification
                WHERE inbox = ?1 AND place = id AND id > ?2 AND id <= ?3\(marked)
                UNION ALL
                SELECT \(columns), place FROM notification INDEXED BY notification_raised
                WHERE inbox = ?1 AND place <> id AND place > ?2 AND place <= ?3\(marked)
                ORDER BY place DESC \(end)
                """)
    }

    private func arguments(_ span: Span) -> StatementArguments { [inbox, span.above, span.upTo] + marks }

    // MARK: Unread rows

    private func unreadRows(in span: Span, limit: Int, skipping skipped: Int64) throws -> [NotificationRecord] {
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
        try forEachUnread(in: Span()) { row in
            let record = NotificationRecord(row)
            if !record.isSeen { rows.append(record) }
            return rows.count < count
        }
        return rows
    }

    private func countOfUnread(in span: Span, _ counts: (StoredRow) throws -> Bool = { _ in true }) throws -> Int64 {
        var count: Int64 = 0
        try forEachUnread(in: span) { row in
            if try counts(row) { count += 1 }
            return true
        }
        return count
    }

    /// - Parameter visit: gets each unread row that passes, with a record's columns; returns whether to go on.
    private func forEachUnread(in span: Span, _ visit: (StoredRow) throws -> Bool) throws {
        // Includes rows of other types and groups, as these count for the stretches that are skipped.
        let passes = marked.isEmpty ? "1" : "(1\(marked)) IS TRUE"
        let columns = NotificationRecord.columnsBeforePlace
        let statement = try db.cachedStatement(
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

    /// How many rows of the span pass the filter.
    func count(in span: Span) throws -> Int64 {
        if isUnreadOnly { return try countOfUnread(in: span) }
        return try count(
            """
            SELECT (SELECT count(*) FROM notification
                    WHERE inbox = ?1 AND place = id AND id > ?2 AND id <= ?3\(marked))
                + (SELECT count(*) FROM notification INDEXED BY notification_raised
                    WHERE inbox = ?1 AND place <> id AND place > ?2 AND place <= ?3\(marked))
            """, arguments(span))
    }

    /// How many rows have come since, all or only unread ones, whatever their types and groups.
    func countOfNewcomers(after seq: Int64) throws -> Int64 {
        // A later notification stands higher.
        if isUnreadOnly { return try countOfUnread(in: Span(above: seq)) { try $0.int(0) > seq } }
        return try count("SELECT count(*) FROM notification WHERE inbox = ?1 AND id > ?2", [inbox, seq])
    }

    private func count(_ sql: String, _ arguments: StatementArguments) throws -> Int64 {
        try db.cachedStatement(sql: sql).first(arguments) { try $0.int(0) } ?? 0
    }

    // MARK: Places

    /// A notification's place; the place at which it came, if it is gone.
    func place(of id: Int64) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT place FROM notification WHERE inbox = ? AND id = ?")
        return try statement.first([inbox, id]) { try $0.int(0) } ?? id
    }

    /// The rows that have come up since `seq` and pass the filter, each with its place at that time.
    ///
    /// Some are missing if the change log no longer reaches back to `seq`.
    func raised(since seq: Int64) throws -> [ListedRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT reference, ids FROM change WHERE inbox = ? AND seq > ? AND kind = 8 ORDER BY seq")
        var places: [Int64: Int64] = [:]
        let changes = try statement.all([inbox, seq]) { row in
            var row = CheckedRow(row)
            return (id: row.count(0), place: Int64(row.text(1)))
        }
        for change in changes {
            // A row whose earlier place cannot be read keeps its current place.
            guard change.id <= seq, places[change.id] == nil, let place = change.place else { continue }
            places[change.id] = place
        }
        return try places.sorted { $0.value > $1.value }.compactMap { id, place in
            try row(id).map { ListedRow(place: place, record: $0) }
        }
    }
}

/// A row and its place in the list as of a moment.
struct ListedRow {
    let place: Int64
    let record: NotificationRecord
}
