import Deliveries
import GRDB
import Inbox
import Store

/// Finds inboxes with too many or too old notifications.
extension InboxReader {
    /// Looks at `limit` inboxes; O(limit · log n).
    func crowded(
        after inbox: Int64, limit: Int, olderThan time: Timestamp?, maximumRows: Int64
    ) throws -> CrowdedInboxes {
        let statement = try db.statement(
            sql: """
                SELECT id, user, ?3 > 0 AND total > ?3 OR min(
                    coalesce((SELECT \(NotificationTable.storingTime) FROM notification
                        WHERE inbox = inbox_state.id AND place = id ORDER BY id LIMIT 1), ?4),
                    coalesce((SELECT \(NotificationTable.storingTime) FROM notification INDEXED BY notification_raised
                        WHERE inbox = inbox_state.id AND place <> id ORDER BY place LIMIT 1), ?4)) < ?4
                FROM inbox_state WHERE id > ?1 ORDER BY id LIMIT ?2
                """)
        let rows = try statement.all([inbox, limit, maximumRows, time?.milliseconds ?? Int64.min]) { row in
            let id = try row.int(0)
            let user = try damage.sound(DamagedRow(table: "inbox", key: row.name)) { try UserID(stored: row.text(1)) }
            return (id: id, user: user, isDue: try row.optionalInt(2) ?? 0 != 0)
        }
        return CrowdedInboxes(
            users: rows.filter(\.isDue).compactMap(\.user), lastInbox: rows.last?.id ?? inbox,
            isLast: rows.count < limit)
    }
}
