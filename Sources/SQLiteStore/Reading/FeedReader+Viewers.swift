import Deliveries
import GRDB
import Inbox
import Store

/// Reads how far people have viewed feeds, and whether they may.
extension FeedReader {
    /// The inbox of a viewer.
    private struct Viewer {
        let inbox: Int64
        let names: [String]
    }

    func isMember(_ user: UserID, of topic: String) throws -> Bool {
        guard let viewer = try viewer(.user(user)) else { return false }
        return try isMember(viewer.inbox, of: topic)
    }

    func mark(of name: String, by user: UserID) throws -> FeedMark {
        guard let feed = try record(named: name) else {
            return FeedMark(viewed: 0, head: try beginning(of: name), newer: 0)
        }
        let viewed = try viewer(.user(user)).map { try self.viewed(feed, by: $0) } ?? 0
        return FeedMark(viewed: viewed, head: feed.position, newer: try newer(than: viewed, in: feed))
    }

    /// The news of each feed.
    func summaries(of requests: [FeedSummaries.Request], for viewer: FeedViewer) throws -> FeedSummaries {
        let person = try self.viewer(viewer)
        let summaries = try requests.map { request -> FeedSummaries.Summary? in
            if let topic = request.topic {
                guard let person, try isMember(person.inbox, of: topic) else { return nil }
            }
            guard let feed = try record(named: request.feed) else { return .init(tip: FeedTip(), viewed: 0) }
            return .init(tip: feed.tip, viewed: try person.map { try viewed(feed, by: $0) } ?? 0)
        }
        return FeedSummaries(names: person?.names ?? [viewer.name], summaries: summaries)
    }

    private func viewer(_ viewer: FeedViewer) throws -> Viewer? {
        let (column, value) =
            switch viewer {
            case .user(let user): ("user", user.rawValue)
            case .email(let email): ("email", UserProfile.searchForm(ofEmail: email))
            }
        let statement = try db.cachedStatement(
            sql: "SELECT id, user, email FROM inbox WHERE \(column) = ? ORDER BY id LIMIT 1")
        return try statement.first([value]) { row in
            Viewer(inbox: try row.int(0), names: [try row.text(1)] + (try row.optionalText(2).map { [$0] } ?? []))
        }
    }

    private func isMember(_ inbox: Int64, of topic: String) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT 1 FROM topic JOIN topic_member ON topic_member.topic = topic.id
                WHERE topic.name = ? AND topic_member.inbox = ?
                """)
        return try statement.first([topic, inbox]) { _ in true } ?? false
    }

    private func viewed(_ feed: FeedRecord, by viewer: Viewer) throws -> Int64 {
        let statement = try db.cachedStatement(sql: "SELECT viewed FROM feed_mark WHERE inbox = ? AND feed = ?")
        return try statement.first([viewer.inbox, feed.id]) { try $0.int(0) } ?? 0
    }
}

extension FeedViewer {
    /// The name of an unknown viewer.
    fileprivate var name: String {
        switch self {
        case .user(let user): user.rawValue
        case .email(let email): email
        }
    }
}
