import Deliveries
import GRDB
import Inbox
import Store

/// Reads topics, as of the snapshot that `db` is in.
struct TopicReader: TopicReads {
    private let db: Database
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) { (self.db, self.damage) = (db, damage) }

    func page(of topic: String, after user: UserID?, limit: Int) throws -> TopicPage? {
        let find = try db.statement(sql: "SELECT id FROM topic WHERE name = ?")
        guard let id = try find.first([topic], { try $0.int(0) }) else { return nil }
        let count = try db.statement(sql: "SELECT count(*) FROM topic_member WHERE topic = ?")
        let after = try user.flatMap(inbox(of:)) ?? 0
        let members = try db.statement(
            sql: """
                SELECT topic_member.inbox, user FROM topic_member JOIN inbox ON inbox.id = topic_member.inbox
                WHERE topic = ? AND topic_member.inbox > ? ORDER BY topic_member.inbox
                """
        ).sound([id, after], of: RowNaming(table: "inbox"), damage, limit: limit + 1) { row in
            guard let text = try row.validText(1) else { throw DamagedRow(table: "inbox", key: row.name) }
            return try UserID(stored: text)
        }
        return TopicPage(
            members: Array(members.prefix(limit)), count: try count.first([id]) { Int(try $0.int(0)) } ?? 0,
            hasMore: members.count > limit)
    }

    func topics(of user: UserID) throws -> [String] {
        guard let inbox = try inbox(of: user) else { return [] }
        return try db.statement(
            sql: """
                SELECT name FROM topic_member JOIN topic ON topic.id = topic_member.topic
                WHERE topic_member.inbox = ? ORDER BY name
                """
        ).all([inbox]) { try $0.text(0) }
    }

    func isMember(_ user: UserID, of topic: String) throws -> Bool {
        try db.statement(
            sql: """
                SELECT 1 FROM topic_member WHERE topic = (SELECT id FROM topic WHERE name = ?)
                AND inbox = (SELECT id FROM inbox WHERE user = ?)
                """
        ).first([topic, user.key]) { _ in true } ?? false
    }

    private func inbox(of user: UserID) throws -> Int64? {
        try db.statement(sql: "SELECT id FROM inbox WHERE user = ?").first([user.key]) { try $0.int(0) }
    }
}
