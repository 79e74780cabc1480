import Inbox
import JSON
import Storage
import WireProtocol

/// What `GET /api/notifications` was asked: `page` and `limit`, or a cursor in place of the page.
struct ListQuery {
    static let defaultLimit = 20
    static let maximumLimit = 100

    let page: Int
    let limit: Int
    let cursor: PageQuery.Start?

    init(_ query: HTTPQuery) throws(Problem) {
        page = try Self.number("page", in: query, default: 1, upTo: 1_000_000)
        limit = try Self.number("limit", in: query, default: Self.defaultLimit, upTo: Self.maximumLimit)
        switch (query["before"], query["after"]) {
        case (nil, nil): cursor = nil
        case (let before?, nil): cursor = .before(try Self.id("before", before))
        case (nil, let after?): cursor = .after(try Self.id("after", after))
        case (_?, _?):
            throw Problem(status: 400, code: "invalid_parameter", detail: "expected before or after, not both")
        }
    }

    private static func number(
        _ name: String, in query: HTTPQuery, default fallback: Int, upTo maximum: Int
    ) throws(Problem) -> Int {
        guard let text = query[name] else { return fallback }
        guard let number = Int(text), (1...maximum).contains(number) else {
            throw Problem(
                status: 400, code: "invalid_parameter", detail: "\(name): expected a whole number from 1 to \(maximum)")
        }
        return number
    }

    private static func id(_ name: String, _ text: String) throws(Problem) -> NotificationID {
        guard let id = NotificationID(text) else {
            throw Problem(status: 400, code: "invalid_parameter", detail: "\(name): expected the id of a notification")
        }
        return id
    }

    func response(_ result: Page) -> HTTPResponse {
        .json { json in
            json.object { json in
                json.key("data")
                json.array { json in
                    for notification in result.notifications { notification.write(to: &json) }
                }
                json.key("meta")
                json.object { json in
                    json.member("totalCount", result.totalCount)
                    json.member("page", page)
                    json.member("limit", limit)
                    json.member("totalPages", (result.totalCount + Int64(limit) - 1) / Int64(limit))
                    json.member("hasNextPage", result.hasMore)
                    json.member("hasPrevPage", page > 1)
                    json.member("epoch", result.state.epoch)
                    json.member("seq", result.state.seq)
                    json.member("unread", result.state.unread)
                    json.member("unseen", result.state.unseen)
                }
            }
        }
    }
}
