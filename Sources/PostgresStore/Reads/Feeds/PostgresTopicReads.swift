import Deliveries
import Inbox
import Postgres
import Store

/// Reads topics.
struct PostgresTopicReads: TopicReads {
    let rows: PostgresRows

    init(_ rows: PostgresRows) { self.rows = rows }

    func page(of topic: String, after user: UserID?, limit: Int) throws -> TopicPage? {
        let counted = try rows.connection.run(
            """
            SELECT id, (SELECT count(*) FROM topic_member WHERE topic = topic.id),
                coalesce((SELECT id FROM inbox WHERE "user" = $2), 0)
            FROM topic WHERE name = $1
            """, [.text(topic), .text(user?.key)])
        guard let row = counted.first else { return nil }
        let found = try rows.connection.run(
            """
            SELECT "user" FROM topic_member JOIN inbox ON inbox.id = topic_member.inbox
            WHERE topic = $1 AND topic_member.inbox > $2 ORDER BY topic_member.inbox LIMIT $3
            """, [.int64(try row.int64(0)), .int64(try row.int64(2)), .int64(Int64(limit) + 1)])
        return TopicPage(
            members: try found.prefix(limit).compactMap { UserID(key: try $0.text(0)) }, count: Int(try row.int64(1)),
            hasMore: found.count > limit)
    }

    func topics(of user: UserID) throws -> [String] {
        try rows.connection.run(
            """
            SELECT name FROM topic_member JOIN topic ON topic.id = topic_member.topic
            WHERE topic_member.inbox = (SELECT id FROM inbox WHERE "user" = $1) ORDER BY name
            """, [.text(user.key)]
        ).map { try $0.text(0) }
    }

    func isMember(_ user: UserID, of topic: String) throws -> Bool {
        let found = try rows.connection.run(
            """
            SELECT 1 FROM topic_member WHERE topic = (SELECT id FROM topic WHERE name = $1)
            AND inbox = (SELECT id FROM inbox WHERE "user" = $2)
            """, [.text(topic), .text(user.key)])
        return !found.isEmpty
    }
}
