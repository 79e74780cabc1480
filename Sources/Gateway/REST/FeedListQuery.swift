import Inbox
import Store
import WireProtocol

/// The query of `GET /v1/feeds/{feed}/items`: `after`, an offset with its `epoch` or a time; `before`; or neither for
/// the newest; `tags` and `limit`.
struct FeedListQuery {
    static let defaultLimit = 100
    static let maximumLimit = FeedReading.maximumItems

    let query: FeedQuery

    /// - Parameter rule: the feed's rule.
    init(_ query: HTTPQuery, _ rule: FeedRule? = nil) throws(Problem) {
        let (after, before) = (try Self.after(in: query, rule), try query.number("before", in: 1...Int64.max))
        let start: FeedQuery.Start
        switch (after, before) {
        case (nil, nil): start = .newest
        case (let after?, nil): start = after
        case (nil, let before?): start = .before(before, epoch: query["epoch"])
        case (_?, _?):
            throw .parameter("expected before or after, not both")
        }
        self.query = FeedQuery(
            start, tags: try Self.tags(in: query),
            limit: try query.limit(usually: Self.defaultLimit, atMost: Self.maximumLimit))
    }

    /// Items with any of these tags; separated by commas.
    static func tags(in query: HTTPQuery) throws(Problem) -> [String] {
        let tags = query.values("tags").flatMap { $0.split(separator: ",").map(String.init) }
        guard tags.count <= FeedReading.maximumTags else {
            throw .parameter("tags: \(FeedReading.tagsExpectation)")
        }
        return tags
    }

    private static func after(in query: HTTPQuery, _ rule: FeedRule?) throws(Problem) -> FeedQuery.Start? {
        guard let text = query["after"] else { return nil }
        if let offset = Int64(text), offset >= 0 {
            // Without an epoch it is an unknown place.
            return .after(FeedPosition(epoch: query["epoch"] ?? "", offset: offset))
        }
        guard let time = time(text, rule) else {
            let expected = (rule ?? .undeclared("")).momentExpectation
            throw .parameter("after: \(expected), or a whole number from 0")
        }
        return .afterTime(time)
    }

    static func time(_ text: String, _ rule: FeedRule?) -> Timestamp? {
        let rule = rule ?? .undeclared("")
        // An unescaped + has become a space.
        return rule.moment(text) ?? rule.moment(text.replacing(" ", with: "+"))
    }
}
