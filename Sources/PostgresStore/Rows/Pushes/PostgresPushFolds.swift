import Deliveries
import Inbox
import Postgres
import Push

/// Several jobs that leave as one push.
final class PostgresPushFolds: PostgresPart, PushFoldRows {
    private static let foldable = select("fold IS NULL AND due <= $3 AND ($4 OR NOT is_shown)")
    private static let remaining = select("fold = $3")

    private static func select(_ condition: String) -> PostgresStatement {
        PostgresStatement(
            composed: """
                SELECT \(PushJobRow.columns) FROM push_job
                WHERE device = $1 AND sha256(fold_key) = sha256($2) AND fold_key IS NOT NULL AND \(condition)
                ORDER BY notification
                """)
    }

    func foldable(
        device: Int64, _ provider: Device.Provider, key: String, at now: Timestamp, withShown: Bool
    ) throws -> [FoldPart] {
        try parts(
            Self.foldable,
            [.int64(device), .utf8(key), QueuePlace.moment(of: now, provider), .bool(withShown)])
    }

    func parts(device: Int64, key: String, fold: Int64) throws -> [FoldPart] {
        try parts(Self.remaining, [.int64(device), .utf8(key), .int64(fold)])
    }

    private func parts(_ statement: PostgresStatement, _ values: [PostgresValue]) throws -> [FoldPart] {
        try written.run(statement, values).compactMap { try PushJobRow($0, rows.providers) }.map { row in
            FoldPart(
                notification: row.place.notification, position: row.place.position, expiry: row.expiry,
                failures: row.failures, collapse: row.collapse, isShown: row.isShown, shownAs: row.shownAs)
        }
    }

    func pin(_ place: PushTurns.Place, to fold: Int64, collapse: String, shownAs: String?) throws {
        try written.queue(
            """
            UPDATE push_job SET fold = $5, collapse = $6, shown_as = nullif($7, $6)
            WHERE device = $1 AND notification = $2 AND due = $3 AND turn = $4
            """, place.values + [.int64(fold), .text(collapse), .text(shownAs)])
    }
}
