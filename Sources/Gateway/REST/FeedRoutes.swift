import Inbox
import JSON
import Storage
import Transport
import WireProtocol

/// A person's look at feeds: their items, for clients that poll or come back, and the person's own marks.
struct FeedRoutes {
    enum Endpoint: Sendable {
        case items, mark, markViewed
    }

    let node: Node
    let credentials: Credentials

    func serve(
        _ endpoint: Endpoint, _ feed: String, _ request: HTTPRequest, _ reply: HTTPReply, _ on: borrowing OnShard
    ) {
        let gate = FeedGate(node: node)
        do throws(Problem) {
            guard let pass = gate.pass(to: feed, for: credentials.user, with: gate.claims(of: credentials)) else {
                throw .feedRefused
            }
            let marks = FeedMarkRoutes(node: node, user: credentials.user, pass: pass)
            switch endpoint {
            case .items: try items(of: feed, pass, gate, request, reply)
            case .mark: try marks.tell(feed, reply)
            case .markViewed: try marks.move(feed, request, reply)
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    private func items(
        of feed: String, _ pass: FeedPass, _ gate: FeedGate, _ request: HTTPRequest, _ reply: HTTPReply
    ) throws(Problem) {
        gate.items(of: feed, try FeedListQuery(request.head.query, gate.rule(for: feed)).query, with: pass) { result in
            switch result {
            case .failure(let error): reply.send(Problem(error).response)
            case .success(nil): reply.send(Problem.feedRefused.response)
            case .success(let page?): reply.send(Self.response(page, feed))
            }
        }
    }

    private static func response(_ page: FeedPage, _ feed: String) -> HTTPResponse {
        .json { json in
            json.object { json in
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
}
