import Deliveries
import GRDB
import Inbox

/// The erased inboxes with rows still to be removed, and the statements that find those rows.
final class ErasureTable: ErasureRows {
    private let db: Database
    private let notifications: NotificationTable
    private let insert: Statement
    private let delete: Statement
    private let findFirst: Statement
    private let findNotifications: Statement
    private let deleteChanges: Statement
    private let deletePaces: Statement
    private let findUses: Statement

    init(_ db: Database, _ notifications: NotificationTable) throws {
        (self.db, self.notifications) = (db, notifications)
        insert = try db.statement(sql: "INSERT OR IGNORE INTO erasure (inbox) VALUES (?)")
        delete = try db.statement(sql: "DELETE FROM erasure WHERE inbox = ?")
        findFirst = try db.statement(sql: "SELECT inbox FROM erasure ORDER BY inbox LIMIT 1")
        findNotifications = try db.statement(
            sql: """
                SELECT \(NotificationRecord.columns) FROM notification WHERE inbox = ?1
                UNION ALL SELECT \(PushOnlyTable.columns) FROM push_only WHERE inbox = ?1 LIMIT ?2
                """)
        deleteChanges = try db.statement(
            sql: """
                DELETE FROM change WHERE inbox = ?1 AND seq IN (
                    SELECT seq FROM change WHERE inbox = ?1 ORDER BY seq LIMIT ?2)
                """)
        deletePaces = try db.statement(sql: "DELETE FROM push_pace WHERE inbox = ?")
        findUses = try db.statement(sql: "SELECT uses FROM content WHERE id = ?")
    }

    func insert(inbox: Int64) throws { try insert.execute(arguments: [inbox]) }
    func delete(inbox: Int64) throws {
        try notifications.eraseSpans(inbox: inbox)
        try delete.execute(arguments: [inbox])
    }

    func delete(_ rows: [NotificationRecord], inbox: Int64) throws { try notifications.delete(rows, inbox: inbox) }

    /// An inbox whose rows are still to be removed.
    func first() throws -> Int64? { try findFirst.first([]) { try $0.int(0) } }

    /// Some notifications of an inbox, push-only ones included.
    func notifications(inbox: Int64, limit: Int) throws -> [NotificationRecord] {
        try findNotifications.all([inbox, limit], NotificationRecord.init)
    }

    /// Returns how many changes it removed.
    func deleteChanges(inbox: Int64, limit: Int) throws -> Int {
        try deleteChanges.execute(arguments: [inbox, limit])
        return deleteChanges.changedRows
    }

    func deletePaces(inbox: Int64) throws { try deletePaces.execute(arguments: [inbox]) }

    /// How many notifications show a content; 0 for a missing one.
    func uses(ofContent id: Int64) throws -> Int64 { try findUses.first([id]) { try $0.int(0) } ?? 0 }
}
