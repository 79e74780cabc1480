import Inbox
import JSON
import Storage
import Transport
import WireProtocol

/// `GET /api/posts/recent-tagged?tags=post&after=…&limit=…`: the items of the feed `posts`, newest first, as they were
/// published, in a bare array.
///
/// With `after`, the oldest ones that came later: a client that goes on after the newest of them misses none, however
/// many there are. Without it, the newest.
struct RecentTaggedRoute {
    private static let feed = "posts"

    let node: Node
    /// Nil where the settings let callers come without.
    let credentials: Credentials?

    func serve(_ request: HTTPRequest, _ reply: HTTPReply, _ on: borrowing OnShard) {
        do throws(Problem) {
            let pass = try pass()
            let query = try Self.query(request.head.query)
            FeedGate(node: node).items(of: Self.feed, query, with: pass) { result in
                switch result {
                case .failure(let error): reply.send(Problem(error).response)
                case .success(nil): reply.send(Problem.feedRefused.response)
                case .success(let page?):
                    reply.send(
                        .json { json in json.array { json in for item in page.items.reversed() { json.raw(item.json) } }
                        })
                }
            }
        } catch {
            reply.send(error.authenticated, on)
        }
    }

    /// Without a token there is nobody whose claims or topics could be looked at.
    private func pass() throws(Problem) -> FeedPass {
        let gate = FeedGate(node: node)
        guard let credentials else {
            guard gate.rule(for: Self.feed)?.access == .everybody else { throw .unauthorized(nil) }
            return .open
        }
        guard let pass = gate.pass(to: Self.feed, for: credentials.user, with: gate.claims(of: credentials)) else {
            throw .feedRefused
        }
        return pass
    }

    static func query(_ query: HTTPQuery) throws(Problem) -> FeedQuery {
        let tags = try FeedListQuery.tags(in: query)
        guard let text = query["after"], !text.isEmpty else {
            let limit = try FeedListQuery.limit(in: query, default: FeedListQuery.defaultLimit)
            return FeedQuery(.newest, tags: tags, limit: limit)
        }
        guard let after = FeedListQuery.time(text) else {
            throw Problem(
                status: 400, code: "invalid_parameter", detail: "after: expected a time such as 2024-12-09T18:00:00Z")
        }
        let limit = try FeedListQuery.limit(in: query, default: FeedListQuery.maximumLimit)
        return FeedQuery(.afterTime(after), tags: tags, limit: limit)
    }
}
