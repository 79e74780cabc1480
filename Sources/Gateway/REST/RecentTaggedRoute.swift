import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// `GET /api/posts/recent-tagged?tags=post&after=…&limit=…`: the items of the feed `posts`, newest first, as they were
/// published, in a bare array.
///
/// With `after`, the oldest of the later items: a client that continues after the newest of them misses none, however
/// many there are. Without it, the newest items.
struct RecentTaggedRoute {
    private static let feed = "posts"

    let node: Node
    let caller: Guest
    private var credentials: Credentials? { caller.credentials }

    func serve(_ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        let pass = try pass()
        let gate = FeedGate(node: node, app: caller.app)
        let query = try Self.query(request.head.query, gate.rule(for: Self.feed))
        let completion = reply.answer(or: .feedRefused) { (page: FeedPage) in
            .json { json in json.array { json in for item in page.items.reversed() { json.raw(item.json) } } }
        }
        gate.items(of: Self.feed, query, with: pass, completion: completion)
    }

    /// Without a token there are no claims or topics to check.
    private func pass() throws(Problem) -> FeedPass {
        let gate = FeedGate(node: node, app: caller.app)
        guard let credentials else {
            guard gate.rule(for: Self.feed)?.access == .everybody else { throw .unauthorized(nil) }
            return .open
        }
        guard let pass = gate.pass(to: Self.feed, for: credentials.user, with: gate.claims(of: credentials)) else {
            throw .feedRefused
        }
        return pass
    }

    /// Leaves out changes of items: the answer cannot tell them from new items.
    static func query(_ query: HTTPQuery, _ rule: FeedRule?) throws(Problem) -> FeedQuery {
        let tags = try FeedListQuery.tags(in: query)
        let maximum = FeedListQuery.maximumLimit
        guard let text = query["after"] else {
            let limit = try query.limit(usually: FeedListQuery.defaultLimit, atMost: maximum)
            return FeedQuery(.newest, tags: tags, limit: limit, tellsChanges: false)
        }
        guard let after = FeedListQuery.time(text, rule) else {
            throw .parameter("after: \((rule ?? .undeclared("")).momentExpectation)")
        }
        let limit = try query.limit(usually: maximum, atMost: maximum)
        return FeedQuery(.afterTime(after), tags: tags, limit: limit, tellsChanges: false)
    }
}
