import GRDB
import Inbox

/// Finds notifications by whose doing they tell of.
struct ActorNotifications {
    /// The event that a content was rendered for.
    struct Source {
        let event: String
        let actor: String?
    }

    private let find: Statement
    private let findSource: Statement

    init(_ db: Database) throws {
        find = try db.cachedStatement(
            sql: """
                SELECT \(NotificationRecord.columns) FROM (
                    SELECT * FROM notification WHERE inbox = ?1 ORDER BY id DESC LIMIT ?4)
                WHERE EXISTS (SELECT 1 FROM content WHERE content.id = content AND type = ?2 AND actor = ?3) LIMIT ?5
                """)
        findSource = try db.cachedStatement(sql: "SELECT event, actor FROM content WHERE id = ?")
    }

    /// The newest notifications of a type that tell of what this person did, newest first.
    ///
    /// - Parameter window: so many of the newest notifications are looked at, of whatever type.
    func newest(
        _ limit: Int, of type: String, by actor: String, inbox: Int64, window: Int
    ) throws -> [NotificationRecord] {
        try find.all([inbox, type, actor, window, limit], NotificationRecord.init)
    }

    func source(ofContent id: Int64) throws -> Source {
        let source = try findSource.first([id]) { Source(event: try $0.text(0), actor: try $0.optionalText(1)) }
        guard let source else { throw DamagedRow(table: "content") }
        return source
    }
}
