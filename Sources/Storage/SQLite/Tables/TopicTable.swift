import GRDB
import Inbox

/// Named sets of users: `topic` and `topic_member`.
struct TopicTable {
    private let findMembers: Statement

    init(_ db: Database) throws {
        findMembers = try db.cachedStatement(
            sql: """
                SELECT user FROM topic JOIN topic_member ON topic_member.topic = topic.id
                JOIN inbox ON inbox.id = topic_member.inbox WHERE topic.name = ? ORDER BY topic_member.inbox
                """)
    }

    /// The users who are in the topic; empty for one that nobody knows.
    func members(of topic: String) throws -> [UserID] {
        try findMembers.all([topic]) { row in
            guard let user = UserID(rawValue: try row.text(0)) else { throw DamagedRow(table: "inbox") }
            return user
        }
    }
}
