import Deliveries
import Inbox
import JSON
import Postgres
import Store

extension TrailedEvent {
    static let columnCount = 11
    static let columns = """
        event, publisher, key, type, actor, occurred_at, accepted_at, repeats, repeated_at, retracted_at, data
        """

    /// - Parameter first: where the ``columns`` begin in the row.
    init(_ row: PostgresRow, from first: Int = 0) throws {
        func time(_ column: Int) throws -> Timestamp? {
            try row.int64OrNil(first + column).map(Timestamp.init(milliseconds:))
        }
        // Data that cannot be read name no items, and no question.
        let data = try row.bytesOrNil(first + 10).flatMap { try? JSONValue(parsing: $0) }?.object
        self.init(
            id: try row.text(first), publisher: try row.text(first + 1), key: try row.textOrNil(first + 2),
            type: try row.text(first + 3), actor: try row.textOrNil(first + 4), occurredAt: try time(5),
            acceptedAt: Timestamp(milliseconds: try row.int64(first + 6)), repeats: Int(try row.int64(first + 7)),
            repeatedAt: try time(8), retractedAt: try time(9),
            items: TrailedKey.items(data).map { TrailedItem(feed: $0.feed, offset: $0.offset) },
            question: TrailedKey.question(data))
    }
}

extension TrailRow {
    static let columns = "\(TrailedEvent.columns), verdicts"

    /// - Parameter first: where the ``columns`` begin in the row.
    /// - Returns: nil if the verdicts cannot be read.
    init?(_ row: PostgresRow, from first: Int = 0) throws {
        let bytes = try row.bytes(first + TrailedEvent.columnCount)
        guard let verdicts = TrailVerdicts(bytes: bytes) else { return nil }
        self.init(event: try TrailedEvent(row, from: first), verdicts: verdicts, size: bytes.count)
    }
}
