import Deliveries
import Inbox
import JSON
import Store

extension TrailedEvent {
    static let columnCount = 12
    static let columns = """
        event, publisher, key, type, actor, occurred_at, accepted_at, repeats, repeated_at, retracted_at,
        CASE WHEN json_valid(CAST(data AS TEXT)) THEN json_extract(CAST(data AS TEXT), '$.feeds') END,
        CASE WHEN json_valid(CAST(data AS TEXT)) THEN json_extract(CAST(data AS TEXT), '$.question') END
        """

    /// - Parameter row: the ``columns``.
    init(_ row: StoredRow) throws {
        func time(_ column: Int) throws -> Timestamp? {
            try row.optionalInt(column).map { Timestamp(milliseconds: $0) }
        }
        self.init(
            id: try row.text(0), publisher: try row.text(1), key: try row.optionalText(2), type: try row.text(3),
            actor: try row.optionalText(4), occurredAt: try time(5),
            acceptedAt: Timestamp(milliseconds: try row.int(6)), repeats: Int(try row.int(7)),
            repeatedAt: try time(8), retractedAt: try time(9),
            items: TrailedKey.items(try Self.member("feeds", row.optionalText(10))).map {
                TrailedItem(feed: $0.feed, offset: $0.offset)
            },
            question: TrailedKey.question(try Self.member("question", row.optionalText(11))))
    }

    private static func member(_ name: String, _ text: String?) throws -> JSONObject? {
        guard let text else { return nil }
        var object = JSONObject()
        object[name] = try JSONValue(parsing: Array(text.utf8))
        return object
    }
}
