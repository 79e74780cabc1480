import Deliveries
import Postgres
import Store

/// Reads the rows of one inbox that pass a filter, the highest place first.
///
/// A page reads only its own rows where the filter names no types and no group. With these, it reads each row of the
/// inbox, or each unread one, but no content.
struct PostgresListReads: ListReads {
    private let connection: PostgresConnection
    private let inbox: Int64
    private let isUnreadOnly: Bool
    /// The condition for rows of chosen types or of one group; empty for all rows.
    private let marked: String
    /// The condition's parameters, from `$4` on.
    private let marks: [PostgresValue]

    init(_ connection: PostgresConnection, _ filter: NotificationFilter, inbox: Int64) {
        (self.connection, self.inbox, isUnreadOnly) = (connection, inbox, filter.unreadOnly)
        var (marked, marks): (String, [PostgresValue]) = ("", [])
        if let types = filter.types {
            marks.append(.int64s(types.map(ListMark.of).sorted()))
            marked += " AND type_mark = ANY($\(marks.count + 3))"
        }
        if let group = filter.group {
            marks.append(.int64(ListMark.of(group)))
            marked += " AND group_mark = $\(marks.count + 3)"
        }
        (self.marked, self.marks) = (marked, marks)
    }

    private var unread: String { isUnreadOnly ? " AND NOT is_read" : "" }

    /// Selects the span's rows in the list's order.
    /// - Parameter columns: `place` is among them.
    private func listed(_ columns: String) -> String {
        guard isUnreadOnly else { return NotificationRecord.listed(columns, marked) }
        return """
            SELECT \(columns) FROM notification
                WHERE inbox = $1 AND NOT is_read AND place > $2 AND place <= $3\(marked) ORDER BY place DESC
            """
    }

    /// The number of the first parameter behind those of a span and of the condition.
    private var next: Int { marks.count + 4 }

    private func run(_ text: String, _ span: ListSpan, _ values: [PostgresValue] = []) throws -> PostgresResult {
        // Few forms: two of the list, each with or without types and a group.
        try connection.run(
            PostgresStatement(composed: text),
            [.int64(inbox), .int64(span.above), .int64(span.upTo)] + marks + values)
    }

    // MARK: Rows

    func rows(in span: ListSpan, limit: Int, skipping skipped: Int64) throws -> [NotificationRecord] {
        try run(
            "\(listed(NotificationRecord.columns)) LIMIT $\(next) OFFSET $\(next + 1)", span,
            [.int64(Int64(limit)), .int64(skipped)]
        ).map(NotificationRecord.init)
    }

    func row(_ id: Int64) throws -> NotificationRecord? {
        try run(
            """
            SELECT \(NotificationRecord.columns) FROM notification
            WHERE inbox = $1 AND id > $2 AND id <= $3\(unread)\(marked)
            """,
            ListSpan(above: id - 1, upTo: id)
        ).first.map(NotificationRecord.init)
    }

    func grouped() throws -> [GroupedRow] {
        try run(listed("id, is_read, group_mark, place"), ListSpan()).map { row in
            GroupedRow(id: try row.int64(0), isRead: try row.bool(1), group: try row.int64OrNil(2))
        }
    }

    // MARK: Counts

    func count(in span: ListSpan) throws -> Int64 {
        try run(
            "SELECT count(*) FROM notification WHERE inbox = $1 AND place > $2 AND place <= $3\(unread)\(marked)", span
        )[0].int64(0)
    }

    func countOfNewcomers(after seq: Int64) throws -> Int64 {
        guard isUnreadOnly else {
            return try connection.run(
                "SELECT count(*) FROM notification WHERE inbox = $1 AND id > $2", [.int64(inbox), .int64(seq)])[0]
                .int64(0)
        }
        // A later notification stands higher.
        return try connection.run(
            "SELECT count(*) FROM notification WHERE inbox = $1 AND NOT is_read AND place > $2 AND id > $2",
            [.int64(inbox), .int64(seq)])[0].int64(0)
    }

    // MARK: Places

    func place(of id: Int64) throws -> Int64? {
        try connection.run(
            "SELECT place FROM notification WHERE inbox = $1 AND id = $2", [.int64(inbox), .int64(id)]
        ).first?.int64(0)
    }

    func raised(since seq: Int64) throws -> [(id: Int64, place: Int64?)] {
        try connection.run(
            """
            SELECT reference, place FROM change
            WHERE inbox = $1 AND seq > $2 AND kind = $3 AND reference IS NOT NULL ORDER BY seq
            """,
            [.int64(inbox), .int64(seq), .int64(LoggedChange.raisedKind)]
        ).map { row in (try row.int64(0), try row.int64OrNil(1)) }
    }
}
