import Deliveries
import GRDB
import Inbox
import Store

/// Reads how far people have viewed feeds, and whether they may.
extension FeedReader {
    func viewer(_ viewer: FeedViewer) throws -> (inbox: Int64, names: [String])? {
        let (column, value, app) =
            switch viewer {
            case .user(let user): ("user", user.key, user.app)
            case .email(let email, let app): ("email", UserProfile.searchForm(ofEmail: email), app)
            }
        let statement = try db.statement(
            sql: "SELECT id, user, email FROM inbox WHERE \(column) = ? AND app IS ? ORDER BY id LIMIT 1")
        return try statement.first([value, app.column]) { row in
            let names = [AppName.name(ofKey: try row.text(1))] + (try row.optionalText(2).map { [$0] } ?? [])
            return (inbox: try row.int(0), names: names)
        }
    }

    func isMember(inbox: Int64, of topic: String) throws -> Bool {
        let statement = try db.statement(
            sql: """
                SELECT 1 FROM topic JOIN topic_member ON topic_member.topic = topic.id
                WHERE topic.name = ? AND topic_member.inbox = ?
                """)
        return try statement.first([topic, inbox]) { _ in true } ?? false
    }

    func viewed(_ feed: FeedRecord, inbox: Int64) throws -> Int64 {
        let statement = try db.statement(sql: "SELECT viewed FROM feed_mark WHERE inbox = ? AND feed = ?")
        return try statement.first([inbox, feed.id]) { try $0.int(0) } ?? 0
    }
}
