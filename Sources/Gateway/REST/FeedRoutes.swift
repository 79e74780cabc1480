import JSON
import Storage
import Transport
import WireProtocol

/// `GET /v1/feeds/{feed}/items?after=…&epoch=…&limit=…`: what a subscriber missed, for clients that poll.
struct FeedRoutes {
    private static let maximumLimit: Int64 = 500

    let node: Node

    func list(_ feed: String, _ request: HTTPRequest, _ reply: HTTPReply, _ on: borrowing OnShard) {
        do throws(Problem) {
            let query = request.head.query
            let after = try Self.number("after", in: query, from: 0) ?? 0
            let limit = min(try Self.number("limit", in: query, from: 1) ?? 100, Self.maximumLimit)
            let position = FeedPosition(epoch: query["epoch"] ?? "", offset: after)
            node.store.items(of: feed, after: position, limit: Int(limit)) { result in
                switch result {
                case .failure(let error): reply.send(Problem(error).response)
                case .success(let page): reply.send(Self.response(page, feed))
                }
            }
        } catch {
            reply.send(error.response, on)
        }
    }

    private static func number(_ name: String, in query: HTTPQuery, from least: Int64) throws(Problem) -> Int64? {
        guard let text = query[name] else { return nil }
        guard let number = Int64(text), number >= least else {
            throw Problem(
                status: 400, code: "invalid_parameter", detail: "\(name): expected a whole number from \(least)")
        }
        return number
    }

    private static func response(_ page: FeedPage, _ feed: String) -> HTTPResponse {
        .json { json in
            json.object { json in
                json.key("data")
                json.array { json in
                    for item in page.items {
                        json.object { json in
                            json.member("offset", item.offset)
                            json.member("item", raw: item.json)
                        }
                    }
                }
                json.key("meta")
                json.object { json in
                    json.member("feed", feed)
                    json.member("epoch", page.head.epoch)
                    json.member("offset", page.head.offset)
                    json.member("isComplete", page.isComplete)
                }
            }
        }
    }
}
