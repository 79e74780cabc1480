import Deliveries
import GRDB
import Inbox
import Store

/// Reads events' rows.
extension TrailReader {
    private static let naming = RowNaming(table: "trail_event")

    func newest(_ key: String, by publisher: String) throws -> String? {
        let find = try db.statement(
            sql: "SELECT event FROM trail_event WHERE publisher = ? AND key = ? ORDER BY event DESC")
        return try find.sound([publisher, key], of: Self.naming, damage, limit: 1) { try $0.text(0) }.first
    }

    func rows(ofEvent id: String) throws -> [TrailRow] {
        let find = try db.statement(
            sql: "SELECT \(TrailedEvent.columns), verdicts FROM trail_event WHERE event = ? ORDER BY page")
        return try find.sound([id], of: Self.naming, damage) { try Self.read($0) }
    }

    func event(_ id: String) throws -> TrailedEvent? {
        let find = try db.statement(
            sql: "SELECT \(TrailedEvent.columns) FROM trail_event WHERE event = ? ORDER BY page")
        return try find.sound([id], of: Self.naming, damage, limit: 1) { try TrailedEvent($0) }.first
    }

    func forEachRow(before event: String?, _ visit: (TrailRow?) throws -> Bool) throws {
        // Without an event, from the end: no text is greater than a blob.
        let find = try db.statement(
            sql: """
                SELECT \(TrailedEvent.columns), verdicts FROM trail_event WHERE event < coalesce(?, x'FF')
                ORDER BY event DESC, page DESC
                """)
        try find.visit([event]) { row in try visit(damage.sound(Self.naming.row(row)) { try Self.read(row) }) }
    }

    func forEachVerdicts(
        _ direction: TrailDirection, from event: String,
        _ visit: ((event: String, verdicts: TrailVerdicts, size: Int)?) throws -> Bool
    ) throws {
        let rows =
            switch direction {
            case .back: "event < ? ORDER BY event DESC, page DESC"
            case .on: "event >= ? ORDER BY event, page"
            }
        let find = try db.statement(sql: "SELECT event, verdicts FROM trail_event WHERE \(rows)")
        try find.visit([event]) { row in
            let read = try damage.sound(Self.naming.row(row)) { () -> (event: String, TrailVerdicts, size: Int) in
                let (verdicts, size) = try Self.verdicts(row, 1)
                return (try row.text(0), verdicts, size)
            }
            return try visit(read.map { ($0.event, $0.1, $0.size) })
        }
    }

    private static func read(_ row: StoredRow) throws -> TrailRow {
        let (verdicts, size) = try verdicts(row, TrailedEvent.columnCount)
        return TrailRow(event: try TrailedEvent(row), verdicts: verdicts, size: size)
    }

    private static func verdicts(_ row: StoredRow, _ column: Int) throws -> (TrailVerdicts, size: Int) {
        guard let blob = try row.bytes(column), let verdicts = TrailVerdicts(bytes: blob) else {
            throw naming.row(row)
        }
        return (verdicts, blob.count)
    }
}
