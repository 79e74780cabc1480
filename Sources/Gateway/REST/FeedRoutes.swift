import Inbox
import JSON
import Store
import Transport
import WireProtocol

/// A person's reads of feeds: their items, for clients that poll or come back, and the person's own marks.
struct FeedRoutes {
    let node: Node
    let credentials: Credentials

    func marks(of feed: String) throws(Problem) -> FeedMarkRoutes {
        FeedMarkRoutes(node: node, user: credentials.user, pass: try pass(to: feed))
    }

    private func pass(to feed: String) throws(Problem) -> FeedPass {
        let gate = FeedGate(node: node, app: credentials.user.app)
        guard let pass = gate.pass(to: feed, for: credentials.user, with: gate.claims(of: credentials)) else {
            throw .feedRefused
        }
        return pass
    }

    func items(of feed: String, _ request: HTTPRequest, _ reply: HTTPReply) throws(Problem) {
        try FeedGate.check(feed)
        let (pass, gate) = (try pass(to: feed), FeedGate(node: node, app: credentials.user.app))
        let query = try FeedListQuery(request.head.query, gate.rule(for: feed)).query
        let completion = reply.answer(or: .feedRefused) { Self.response($0, feed) }
        gate.items(of: feed, query, with: pass, completion: completion)
    }

    private static func response(_ page: FeedPage, _ feed: String) -> HTTPResponse {
        .object { json in
            json.key("data")
            json.array { json in
                for item in page.items {
                    json.object { json in
                        json.member("offset", item.offset)
                        json.member("publishedAt", item.publishedAt.iso8601)
                        if let change = item.change { json.member(change.member, change.target) }
                        if item.change?.isRemoval ?? false, let id = item.id { json.member("id", id) }
                        json.member("item", raw: item.json)
                    }
                }
            }
            json.key("meta")
            json.object { json in
                json.member("feed", feed)
                json.member("epoch", page.head.epoch)
                json.member("offset", page.head.offset)
                json.member("next", page.end)
                json.key("prev")
                if page.hasOlder, let first = page.items.first { json.value(first.offset) } else { json.null() }
                json.member("isComplete", page.isComplete)
                json.member("recovered", page.isRecovered)
            }
        }
    }
}
