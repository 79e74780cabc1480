import Deliveries
import Inbox
import Postgres

/// Named sets of people: `topic` and `topic_member`.
///
/// Who changes a topic holds its row's lock, so that nobody deletes an empty topic that is getting a member.
final class PostgresTopics: PostgresPart, TopicRows {
    // MARK: Looking

    func members(of topic: String) throws -> [UserID] {
        let found = try connection.run(
            """
            SELECT "user" FROM topic_member JOIN inbox ON inbox.id = topic_member.inbox
            WHERE topic = (SELECT id FROM topic WHERE name = $1) ORDER BY topic_member.inbox
            """, [.text(topic)])
        // A row that names nobody is left out.
        return try found.compactMap { UserID(key: try $0.text(0)) }
    }

    func members(of topic: String, after inbox: Int64, limit: Int) throws -> [TopicMember] {
        var (members, last): ([TopicMember], Int64) = ([], inbox)
        // Fewer than the limit would mean that there are no more, so rows that name nobody are made up for.
        while members.count < limit {
            let asked = limit - members.count
            let found = try connection.run(
                """
                SELECT topic_member.inbox, "user" FROM topic_member JOIN inbox ON inbox.id = topic_member.inbox
                WHERE topic = (SELECT id FROM topic WHERE name = $1) AND topic_member.inbox > $2
                ORDER BY topic_member.inbox LIMIT $3
                """, [.text(topic), .int64(last), .int64(Int64(asked))])
            for row in found {
                last = try row.int64(0)
                if let user = UserID(key: try row.text(1)) { members.append(TopicMember(inbox: last, user: user)) }
            }
            if found.count < asked { break }
        }
        return members
    }

    func row(of topic: String) throws -> (id: Int64, replacement: String?)? {
        try connection.run("SELECT id, replacement FROM topic WHERE name = $1 FOR UPDATE", [.text(topic)]).first
            .map { (id: try $0.int64(0), replacement: try $0.textOrNil(1)) }
    }

    func topics(ofInbox inbox: Int64) throws -> [(id: Int64, name: String)] {
        try connection.run(
            """
            SELECT topic.id, name FROM topic_member JOIN topic ON topic.id = topic_member.topic
            WHERE topic_member.inbox = $1 ORDER BY name
            """, [.int64(inbox)]
        ).map { (id: try $0.int64(0), name: try $0.text(1)) }
    }

    // MARK: Writing

    func create(_ topic: String) throws -> Int64 {
        // Another node may have made it since this one looked. Writing the name again locks its row.
        try connection.run(
            """
            INSERT INTO topic (name) VALUES ($1) ON CONFLICT (name) DO UPDATE SET name = excluded.name RETURNING id
            """, [.text(topic)])[0].int64(0)
    }

    func write(replacement: String, topic: Int64) throws {
        try connection.queue("UPDATE topic SET replacement = $1 WHERE id = $2", [.text(replacement), .int64(topic)])
    }

    func insert(inbox: Int64, into topic: Int64) throws -> Bool {
        try connection.run(
            "INSERT INTO topic_member (topic, inbox) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            [.int64(topic), .int64(inbox)]
        ).changedRows > 0
    }

    func delete(inbox: Int64, from topic: Int64) throws -> Bool {
        try connection.run(
            "DELETE FROM topic_member WHERE topic = $1 AND inbox = $2", [.int64(topic), .int64(inbox)]
        ).changedRows > 0
    }

    func insert(inboxes: [Int64], into topic: Int64) throws -> Set<Int64> {
        let new = try connection.run(
            """
            INSERT INTO topic_member (topic, inbox) SELECT $1, inbox FROM unnest($2) AS new (inbox)
            ON CONFLICT DO NOTHING RETURNING inbox
            """, [.int64(topic), .int64s(inboxes)])
        return Set(try new.map { try $0.int64(0) })
    }

    func delete(inboxes: [Int64], from topic: Int64) throws -> Set<Int64> {
        let gone = try connection.run(
            "DELETE FROM topic_member WHERE topic = $1 AND inbox = ANY($2) RETURNING inbox",
            [.int64(topic), .int64s(inboxes)])
        return Set(try gone.map { try $0.int64(0) })
    }

    func deleteIfEmpty(topic: Int64) throws {
        // A statement of its own: the next one sees the members that came while this one waited.
        try connection.queue("SELECT 1 FROM topic WHERE id = $1 FOR UPDATE", [.int64(topic)])
        try connection.queue(
            "DELETE FROM topic WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM topic_member WHERE topic = $1)",
            [.int64(topic)])
    }
}
