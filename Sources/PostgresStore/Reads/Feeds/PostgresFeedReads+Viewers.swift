import Deliveries
import Inbox
import Postgres
import Store

/// Reads how far people have viewed feeds, and whether they may.
extension PostgresFeedReads {
    func viewer(_ viewer: FeedViewer) throws -> (inbox: Int64, names: [String])? {
        let found =
            switch viewer {
            case .user(let user):
                try connection.run(#"SELECT id, "user", email FROM inbox WHERE "user" = $1"#, [.text(user.key)])
            case .email(let email, let app):
                // The unnamed app is NULL.
                try connection.run(
                    """
                    SELECT id, "user", email FROM inbox WHERE email = $1 AND app IS NOT DISTINCT FROM $2
                    ORDER BY id LIMIT 1
                    """, [.text(UserProfile.searchForm(ofEmail: email)), .text(app.isUnnamed ? nil : app.text)])
            }
        return try found.first.map { row in
            let email = try row.textOrNil(2)
            return (
                inbox: try row.int64(0), names: [AppName.name(ofKey: try row.text(1))] + (email.map { [$0] } ?? [])
            )
        }
    }

    func isMember(inbox: Int64, of topic: String) throws -> Bool {
        let found = try connection.run(
            """
            SELECT 1 FROM topic JOIN topic_member ON topic_member.topic = topic.id
            WHERE topic.name = $1 AND topic_member.inbox = $2
            """, [.text(topic), .int64(inbox)])
        return !found.isEmpty
    }

    func viewed(_ feed: FeedRecord, inbox: Int64) throws -> Int64 {
        try connection.run(
            "SELECT viewed FROM feed_mark WHERE inbox = $1 AND feed = $2", [.int64(inbox), .int64(feed.id)]
        ).first?.int64(0) ?? 0
    }
}
