import Deliveries
import GRDB
import Inbox
import Store

/// Named sets of users: `topic` and `topic_member`.
final class TopicTable: TopicRows {
    private let db: Database
    private let findTopic: Statement
    private let createTopic: Statement
    private let writeReplacement: Statement
    private let deleteTopic: Statement
    private let findMembers: Statement
    private let findPage: Statement
    private let findTopics: Statement
    private let insert: Statement
    private let delete: Statement
    private let damage: DamageWatch

    /// - Parameter damage: hears of rows that cannot be read.
    init(_ db: Database, _ damage: DamageWatch) throws {
        (self.db, self.damage) = (db, damage)
        findTopic = try db.statement(sql: "SELECT id, replacement FROM topic WHERE name = ?")
        createTopic = try db.statement(sql: "INSERT INTO topic (name) VALUES (?) RETURNING id")
        writeReplacement = try db.statement(sql: "UPDATE topic SET replacement = ? WHERE id = ?")
        deleteTopic = try db.statement(
            sql: """
                DELETE FROM topic WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM topic_member WHERE topic = ?1)
                """)
        let members = """
            FROM topic_member JOIN inbox ON inbox.id = topic_member.inbox
            WHERE topic = (SELECT id FROM topic WHERE name = ?1)
            """
        findMembers = try db.statement(sql: "SELECT inbox.id, user \(members) ORDER BY topic_member.inbox")
        findPage = try db.statement(
            sql: """
                SELECT topic_member.inbox, user \(members) AND topic_member.inbox > ?2
                ORDER BY topic_member.inbox
                """)
        findTopics = try db.statement(
            sql: """
                SELECT topic.id, name FROM topic_member JOIN topic ON topic.id = topic_member.topic
                WHERE topic_member.inbox = ? ORDER BY name
                """)
        insert = try db.statement(sql: "INSERT OR IGNORE INTO topic_member (topic, inbox) VALUES (?, ?)")
        delete = try db.statement(sql: "DELETE FROM topic_member WHERE topic = ? AND inbox = ?")
    }

    // MARK: Looking

    /// The topic's members; empty for an unknown topic.
    func members(of topic: String) throws -> [UserID] {
        try findMembers.sound([topic], of: RowNaming(table: "inbox"), damage) { try UserID(stored: $0.text(1)) }
    }

    /// At most `limit` members behind this inbox.
    func members(of topic: String, after inbox: Int64, limit: Int) throws -> [TopicMember] {
        try findPage.sound([topic, inbox], of: RowNaming(table: "inbox"), damage, limit: limit) {
            TopicMember(inbox: try $0.int(0), user: try UserID(stored: $0.text(1)))
        }
    }

    /// A topic's row, and the call that last replaced its members; nil for an unknown topic.
    func row(of topic: String) throws -> (id: Int64, replacement: String?)? {
        try findTopic.first([topic]) { (id: try $0.int(0), replacement: try $0.optionalText(1)) }
    }

    func topics(ofInbox inbox: Int64) throws -> [(id: Int64, name: String)] {
        try findTopics.sound([inbox], of: RowNaming(table: "topic"), damage) {
            (id: try $0.int(0), name: try $0.text(1))
        }
    }

    // MARK: Writing

    func create(_ topic: String) throws -> Int64 {
        guard let id = try createTopic.first([topic], { try $0.int(0) }) else { throw DamagedRow(table: "topic") }
        return id
    }

    func write(replacement: String, topic: Int64) throws {
        try writeReplacement.execute(arguments: [replacement, topic])
    }

    /// - Returns: whether the person is a new member.
    func insert(inbox: Int64, into topic: Int64) throws -> Bool {
        try insert.execute(arguments: [topic, inbox])
        return insert.changedRows > 0
    }

    /// - Returns: whether the person was a member.
    func delete(inbox: Int64, from topic: Int64) throws -> Bool {
        try delete.execute(arguments: [topic, inbox])
        return delete.changedRows > 0
    }

    /// A topic without members needs no row.
    func deleteIfEmpty(topic: Int64) throws { try deleteTopic.execute(arguments: [topic]) }
}
