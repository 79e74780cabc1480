import Inbox
import Store
import WireProtocol

/// The query of `GET /api/notifications`: `page` and `limit`, or a place in the list instead of a page, and a filter.
struct ListQuery {
    /// The beginning of the requested part.
    enum Start: Hashable {
        /// Counted from 1; with `asOf`, in the list as of that `seq`, as an earlier page told it.
        case page(Int, asOf: Int64?)
        case behind(ListCursor)
        /// - Parameter epoch: the one that came with the notification; nil if it was not given.
        case before(NotificationID, epoch: String?)
        case after(NotificationID, epoch: String?)
    }

    static let defaultLimit = 20
    static let maximumLimit = 100

    let start: Start
    let limit: Int
    /// Only notifications whose types have this category in the catalogs.
    let category: String?
    private let others: NotificationFilter

    init(_ query: HTTPQuery) throws(Problem) {
        limit = try query.limit(usually: Self.defaultLimit, atMost: Self.maximumLimit)
        category = query["category"]
        others = NotificationFilter(
            unreadOnly: try Self.truth("unread", in: query), group: query["group"],
            types: query["type"].map { [$0] })
        start = try Self.start(query)
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
        case nil, "false": false
        case "true": true
        case _?: throw .parameter(name, "expected true or false")
        }
    }

    private static func types(of category: String, in catalogs: CatalogSet) throws(Problem) -> Set<String> {
        let types = catalogs.catalogs.flatMap { catalog in catalog.typeNames.compactMap(catalog.notificationType) }
        let names = Set(types.filter { $0.category == category }.map(\.name))
        guard names.isEmpty else { return names }
        let known = Set(types.compactMap(\.category)).sorted()
        let expected = Spelling.nearest(to: category, among: known) ?? Spelling.list(known)
        throw .parameter("category", "no type is of this one" + (known.isEmpty ? "" : "; expected \(expected)"))
    }

    // MARK: Which part of them

    private static func start(_ query: HTTPQuery) throws(Problem) -> Start {
        let (before, after) = (query["before"], query["after"])
        let epoch = query["epoch"]
        guard before == nil || after == nil else {
            throw .parameter("expected before or after, not both")
        }
        guard let place = before ?? after else {
            let page = try query.number("page", in: 1...1_000_000) ?? 1
            return .page(page, asOf: try query.number("asOf", in: 0...Int64.max))
        }
        for name in ["page", "asOf"] where query[name] != nil {
            throw .parameter("expected \(name) or a cursor, not both")
        }
        if after != nil {
            guard let id = NotificationID(place) else {
                throw .parameter("after", "expected the id of a notification")
            }
            return .after(id, epoch: epoch)
        }
        if let cursor = ListCursor(place) { return .behind(cursor) }
        guard let id = NotificationID(place) else {
            throw .parameter("before", "expected the meta.next of an answer, or the id of a notification")
        }
        return .before(id, epoch: epoch)
    }

    /// The query for the store.
    ///
    /// - Parameter numbered: makes the query for a page number, which depends on earlier pages.
    func query(_ filter: NotificationFilter?, numbered: (Int, _ asOf: Int64?) -> PageQuery) -> PageQuery {
        var query = PageQuery(start: .offset(0), limit: limit, filter: filter)
        switch start {
        case .page(let number, let asOf): return numbered(number, asOf)
        case .behind(let cursor):
            (query.start, query.asOf, query.epoch) = (.behind(cursor.place), cursor.asOf, cursor.epoch)
        case .before(let id, let epoch): (query.start, query.epoch) = (.before(id), epoch)
        case .after(let id, let epoch): (query.start, query.epoch) = (.after(id), epoch)
        }
        return query
    }
}
