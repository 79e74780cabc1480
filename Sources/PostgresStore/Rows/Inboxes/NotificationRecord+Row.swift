import Deliveries
import Inbox
import Postgres

extension NotificationRecord {
    private static let names = [
        "id", "content", "created_at", "rev", "seq", "is_read", "is_seen", "unread_after", "unseen_after", "fresh",
        "fresh_from", "place",
    ]
    static let columnCount = names.count
    /// Of `notification`.
    static let columns = names.joined(separator: ", ")

    /// The same where several tables are joined.
    static func columns(of table: String) -> String { names.map { "\(table).\($0)" }.joined(separator: ", ") }
    /// The same of `push_only`. No list shows such a row, and its counts are 0.
    static let pushOnlyColumns =
        "id, content, created_at, rev, id, false, false, 0::int8, 0::int8, 0::int8, NULL::text, id"

    /// - Parameter row: begins with the columns.
    init(_ row: PostgresRow) throws {
        self.init(
            id: try row.int64(0), contentID: try row.int64(1),
            createdAt: Timestamp(milliseconds: try row.int64(2)), rev: try row.int64(3), seq: try row.int64(4),
            isRead: try row.bool(5), isSeen: try row.bool(6), unreadAfter: try row.int64(7),
            unseenAfter: try row.int64(8),
            fresh: FreshContent(count: try row.int64(9), from: try row.textOrNil(10)), place: try row.int64(11),
            isDamaged: false)
    }

    /// Selects rows of the inbox `$1` whose places are above `$2`, up to `$3`, in an order by place.
    ///
    /// Read and unread rows are joined, as the index has each of them in order. Each is ordered by itself: PostgreSQL
    /// would otherwise read and sort them all for a page.
    ///
    /// - Parameters:
    ///   - columns: of `notification`; `place` is among them.
    ///   - condition: an addition to the WHERE clause.
    ///   - order: `place` or `place DESC`.
    static func listed(_ columns: String, _ condition: String = "", by order: String = "place DESC") -> String {
        """
        (SELECT \(columns) FROM notification
            WHERE inbox = $1 AND is_read AND place > $2 AND place <= $3\(condition) ORDER BY \(order))
        UNION ALL
        (SELECT \(columns) FROM notification
            WHERE inbox = $1 AND NOT is_read AND place > $2 AND place <= $3\(condition) ORDER BY \(order))
        ORDER BY \(order)
        """
    }
}
