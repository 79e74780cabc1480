import GRDB
import Inbox
import JSON

/// Reads chosen rows among the newest of one inbox: see ``NotificationFilter``.
struct FilteredReader {
    /// A row, and what of its content a filter knows.
    struct Row {
        let record: NotificationRecord
        let group: String?
    }

    private let db: Database

    init(_ db: Database) { self.db = db }

    /// The rows that pass, newest first.
    ///
    /// - Parameter asOf: rows that came after this `seq` are left out.
    func rows(_ filter: NotificationFilter, asOf: Int64, of inbox: Int64) throws -> [Row] {
        let columns = NotificationRecord.columns
        let statement = try db.cachedStatement(
            sql: """
                SELECT \(columns), group_name FROM (
                    SELECT \(columns) FROM notification WHERE inbox = ?1 AND id <= ?2 ORDER BY id DESC LIMIT ?3
                ) AS newest JOIN (SELECT id AS content_id, type, group_name FROM content) ON content_id = content
                WHERE (?4 = 0 OR is_read = 0) AND (?5 IS NULL OR group_name = ?5)
                    AND (?6 IS NULL OR type IN (SELECT value FROM json_each(?6)))
                ORDER BY id DESC
                """)
        let types = filter.types.map { JSONValue.array($0.sorted().map(JSONValue.string)).encoded }
        let arguments: StatementArguments = [
            inbox, asOf, NotificationFilter.window, filter.unreadOnly, filter.group,
            types.map { String(decoding: $0, as: UTF8.self) },
        ]
        return try statement.all(arguments) { row in
            Row(record: try NotificationRecord(row), group: try row.optionalText(9))
        }
    }
}
