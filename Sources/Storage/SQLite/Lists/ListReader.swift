import GRDB
import Inbox
import JSON

/// Reads rows of one inbox in the order of its list, all as of the snapshot that `db` is in.
///
/// A page of the whole list looks at its own rows alone. A page of unread rows looks at a few more, however many read
/// ones lie between (``UnreadRows``). A filter by types or a group looks at each row of the inbox, or at each unread
/// one, and at no content. A count looks at each row that it counts.
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
        if isUnreadOnly { return try unreadRows(in: span, limit: limit, skipping: skipped) }
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

    /// Selects from the list. Nearly all rows stand in it where they stand in the table, so that these two lists make
    /// it.
    ///
    /// - Parameter columns: they get the place behind them.
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

    /// The unread rows that are unseen, too.
    /// - Parameter count: how many there are; none is looked for behind them.
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

    /// - Parameter visit: an unread row that passes, its columns those of a record; returns whether to go on.
    private func forEachUnread(in span: Span, _ visit: (StoredRow) throws -> Bool) throws {
        // Rows of other types and groups have to be told, too: they may stand in stretches that are passed over.
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

    /// How many rows that pass stand there.
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

    /// How many rows have come since, of all or of the unread ones, whatever their types and groups.
    func countOfNewcomers(after seq: Int64) throws -> Int64 {
        // What came later stands higher.
        if isUnreadOnly { return try countOfUnread(in: Span(above: seq)) { try $0.int(0) > seq } }
        return try count("SELECT count(*) FROM notification WHERE inbox = ?1 AND id > ?2", [inbox, seq])
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
