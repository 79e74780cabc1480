import Inbox
import JSON
import Storage
import WireProtocol

/// What `GET /api/notifications` was asked: `page` and `limit`, or a cursor in place of the page, and which rows.
struct ListQuery {
    static let defaultLimit = 20
    static let maximumLimit = 100

    let page: Int
    let limit: Int
    let cursor: PageQuery.Start?
    /// Only notifications whose types are of this category, as the catalogs have it.
    let category: String?
    private let others: NotificationFilter

    init(_ query: HTTPQuery) throws(Problem) {
        page = try Self.number("page", in: query, default: 1, upTo: 1_000_000)
        limit = try Self.limit(query)
        category = query["category"]
        others = NotificationFilter(
            unreadOnly: try Self.truth("unread", in: query), group: query["group"], types: query["type"].map { [$0] })
        switch (query["before"], query["after"]) {
        case (nil, nil): cursor = nil
        case (let before?, nil): cursor = .before(try Self.id("before", before))
        case (nil, let after?): cursor = .after(try Self.id("after", after))
        case (_?, _?):
            throw Problem(status: 400, code: "invalid_parameter", detail: "expected before or after, not both")
        }
        guard cursor == nil || query["page"] == nil else {
            throw Problem(status: 400, code: "invalid_parameter", detail: "expected page or a cursor, not both")
        }
    }

    // MARK: Which rows

    /// Nil for all rows.
    func filter(_ catalogs: CatalogSet) throws(Problem) -> NotificationFilter? {
        var filter = others
        if let category {
            let types = try Self.types(of: category, in: catalogs)
            filter.types = filter.types?.intersection(types) ?? types
        }
        return filter == NotificationFilter() ? nil : filter
    }

    private static func truth(_ name: String, in query: HTTPQuery) throws(Problem) -> Bool {
        switch query[name] {
        case nil, "false": return false
        case "true": return true
        case _?:
            throw Problem(status: 400, code: "invalid_parameter", detail: "\(name): expected true or false")
        }
    }

    private static func types(of category: String, in catalogs: CatalogSet) throws(Problem) -> Set<String> {
        let types = catalogs.catalogs.flatMap { catalog in catalog.typeNames.compactMap(catalog.notificationType) }
        let names = Set(types.filter { $0.category == category }.map(\.name))
        guard names.isEmpty else { return names }
        let known = Set(types.compactMap(\.category)).sorted()
        let expected = Spelling.nearest(to: category, among: known) ?? Spelling.list(known)
        throw Problem(
            status: 400, code: "invalid_parameter",
            detail: "category: no type is of this one" + (known.isEmpty ? "" : "; expected \(expected)"))
    }

    // MARK: Which part of them

    static func limit(_ query: HTTPQuery) throws(Problem) -> Int {
        try number("limit", in: query, default: defaultLimit, upTo: maximumLimit)
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
