import Inbox
import Storage
import WireProtocol

/// What `GET /v1/feeds/{feed}/items` was asked: `after`, an offset with its `epoch` or a time, or `before`, or neither
/// for the newest; `tags` and `limit`.
struct FeedListQuery {
    static let defaultLimit = 100
    static let maximumLimit = 500
    private static let maximumTags = 20

    let query: FeedQuery

    /// - Parameter rule: the feed's.
    init(_ query: HTTPQuery, _ rule: FeedRule? = nil) throws(Problem) {
        let (after, before) = (try Self.after(in: query, rule), try Self.number("before", in: query, from: 1))
        let start: FeedQuery.Start
        switch (after, before) {
        case (nil, nil): start = .newest
        case (let after?, nil): start = after
        case (nil, let before?): start = .before(before, epoch: query["epoch"])
        case (_?, _?):
            throw Problem(status: 400, code: "invalid_parameter", detail: "expected before or after, not both")
        }
        self.query = FeedQuery(
            start, tags: try Self.tags(in: query),
            limit: try query.limit(usually: Self.defaultLimit, atMost: Self.maximumLimit))
    }

    /// Any of these; separated by commas.
    static func tags(in query: HTTPQuery) throws(Problem) -> [String] {
        let tags = query.values("tags").flatMap { $0.split(separator: ",").map(String.init) }
        guard tags.count <= maximumTags else {
            throw Problem(status: 400, code: "invalid_parameter", detail: "tags: expected at most \(maximumTags)")
        }
        return tags
    }

    private static func after(in query: HTTPQuery, _ rule: FeedRule?) throws(Problem) -> FeedQuery.Start? {
        guard let text = query["after"] else { return nil }
        if let offset = Int64(text), offset >= 0 {
            // Without an epoch it is no place that anybody knows.
            return .after(FeedPosition(epoch: query["epoch"] ?? "", offset: offset))
        }
        guard let time = time(text, rule) else {
            let expected = (rule ?? .undeclared("")).momentExpectation
            throw Problem(
                status: 400, code: "invalid_parameter", detail: "after: \(expected), or a whole number from 0")
        }
        return .afterTime(time)
    }

    static func time(_ text: String, _ rule: FeedRule?) -> Timestamp? {
        let rule = rule ?? .undeclared("")
        // A + that was not escaped has become a space.
        return rule.moment(text) ?? rule.moment(text.replacing(" ", with: "+"))
    }

    private static func number(_ name: String, in query: HTTPQuery, from least: Int64) throws(Problem) -> Int64? {
        guard let text = query[name] else { return nil }
        guard let number = Int64(text), number >= least else {
            throw Problem(
                status: 400, code: "invalid_parameter", detail: "\(name): expected a whole number from \(least)")
        }
        return number
    }
}
