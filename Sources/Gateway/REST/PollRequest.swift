import Inbox
import JSON
import Store
import WireProtocol

/// The body of `POST /api/notifications/poll`, and its answer.
///
/// Empty and null values count as absent, as in the apps' own server. Unknown members are ignored, since these apps are
/// installed already.
struct PollRequest {
    private static let maximumQueries = 500
    private static let (users, posts) = ("users", "posts")

    let userEmail: String?
    let queryIDs: [String]
    let lastViewedUsers: Timestamp?
    let lastViewedPosts: Timestamp?

    /// - Parameter rule: returns the rule of the feed with a name.
    init(_ body: [UInt8], rule: (String) -> FeedRule? = { _ in nil }) throws(Problem) {
        guard let body = try JSONBody.parse(body).object else {
            throw Problem(status: 400, code: "wrong_type", detail: "expected a JSON object")
        }
        userEmail = try Self.text("user_email", in: body)
        queryIDs = try Self.queryIDs(in: body)
        lastViewedUsers = try Self.time("last_viewed_users", in: body, rule(Self.users))
        lastViewedPosts = try Self.time("last_viewed_posts", in: body, rule(Self.posts))
    }

    private static func text(_ key: String, in body: JSONObject) throws(Problem) -> String? {
        switch body[key] {
        case nil, .null, .string("")?: return nil
        case .string(let text)?: return text
        default: throw .member("wrong_type", key, "expected a string")
        }
    }

    private static func time(
        _ key: String, in body: JSONObject, _ rule: FeedRule?
    ) throws(Problem) -> Timestamp? {
        guard let text = try text(key, in: body) else { return nil }
        let rule = rule ?? .undeclared("")
        guard let time = rule.moment(text) else { throw .member("invalid_value", key, rule.momentExpectation) }
        return time
    }

    private static func queryIDs(in body: JSONObject) throws(Problem) -> [String] {
        guard let value = body["query_ids"], value != .null else { return [] }
        guard let elements = value.array, elements.count <= maximumQueries else {
            throw .member("wrong_type", "query_ids", "expected an array of at most \(maximumQueries) ids")
        }
        var ids: [String] = []
        var seen: Set<ExactText> = []
        for element in elements {
            guard let id = element.string ?? element.wholeText else {
                throw .member("wrong_type", "query_ids", "expected an array of ids")
            }
            if seen.insert(ExactText(id)).inserted { ids.append(id) }
        }
        return ids
    }

    // MARK: The answer

    /// The feeds that the answer depends on: users', posts', and those of the queries. A caller without an address gets
    /// no news of posts and queries.
    var feeds: [String] {
        (lastViewedUsers == nil ? [] : [Self.users]) + (lastViewedPosts == nil || userEmail == nil ? [] : [Self.posts])
            + (userEmail == nil ? [] : queryIDs.map(Self.feed))
    }

    private static func feed(ofQuery id: String) -> String { "query:\(id)" }

    /// - Parameters:
    ///   - summaries: by feed; a missing feed is one that the caller may not read, and has no news.
    ///   - names: the names under which the caller publishes. News of users counts whoever published it.
    func response(_ summaries: [ExactText: FeedSummaries.Summary], names: [String]) -> HTTPResponse {
        let newestUser = summaries[ExactText(Self.users)]?.tip.newest
        let newestPost = summaries[ExactText(Self.posts)]?.tip.newest(notBy: names)
        return .object { json in
            json.key("query_badges")
            json.object { json in
                for id in userEmail == nil ? [] : queryIDs {
                    json.key(dynamic: id)
                    json.value(Self.hasNew(summaries[ExactText(Self.feed(ofQuery: id))], names))
                }
            }
            json.member("has_new_users", Self.isAfter(newestUser, lastViewedUsers))
            json.member("has_new_posts", Self.isAfter(newestPost, lastViewedPosts))
        }
    }

    private static func hasNew(_ summary: FeedSummaries.Summary?, _ names: [String]) -> Bool {
        guard let summary, let newest = summary.tip.newest(notBy: names) else { return false }
        return newest.offset > summary.viewed
    }

    private static func isAfter(_ place: FeedTip.Place?, _ time: Timestamp?) -> Bool {
        guard let place, let time else { return false }
        return place.time > time
    }
}
