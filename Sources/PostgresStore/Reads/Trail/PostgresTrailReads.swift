import Deliveries
import Inbox
import Postgres
import Store

/// Reads the trail. Rows that cannot be read are left out.
struct PostgresTrailReads: TrailReads {
    /// How many rows are fetched at once where the reader may stop at any: each may take many kilobytes.
    private static let pageLength = 100

    let rows: PostgresRows
    var connection: PostgresConnection { rows.connection }

    init(_ rows: PostgresRows) { self.rows = rows }

    func newest(_ key: String, by publisher: String) throws -> String? {
        try connection.run(
            "SELECT max(event) FROM trail_event WHERE publisher = $1 AND key = $2", [.text(publisher), .text(key)]
        ).first?.textOrNil(0)
    }

    func rows(ofEvent id: String) throws -> [TrailRow] {
        let query = PostgresStatement(
            composed: "SELECT \(TrailRow.columns) FROM trail_event WHERE event = $1 ORDER BY page")
        return try connection.run(query, [.text(id)]).compactMap { try TrailRow($0) }
    }

    func event(_ id: String) throws -> TrailedEvent? {
        let query = PostgresStatement(
            composed: "SELECT \(TrailedEvent.columns) FROM trail_event WHERE event = $1 ORDER BY page LIMIT 1")
        return try connection.run(query, [.text(id)]).first.map { try TrailedEvent($0) }
    }

    // MARK: Walks

    func forEachRow(before event: String?, _ visit: (TrailRow?) throws -> Bool) throws {
        let query = Self.query("SELECT event, page, \(TrailRow.columns)", .back)
        try walk(query, from: try event ?? behindLast()) { try visit(TrailRow($0, from: 2)) }
    }

    func forEachVerdicts(
        _ direction: TrailDirection, from event: String,
        _ visit: ((event: String, verdicts: TrailVerdicts, size: Int)?) throws -> Bool
    ) throws {
        try walk(Self.query("SELECT event, page, verdicts", direction), from: event) { row in
            let bytes = try row.bytes(2)
            let event = try row.text(0)
            return try visit(TrailVerdicts(bytes: bytes).map { (event, $0, bytes.count) })
        }
    }

    private static func query(_ selection: String, _ direction: TrailDirection) -> PostgresStatement {
        switch direction {
        case .back:
            PostgresStatement(
                composed: """
                    \(selection) FROM trail_event WHERE (event, page) < ($1, $2)
                    ORDER BY event DESC, page DESC LIMIT $3
                    """)
        case .on:
            PostgresStatement(
                composed: """
                    \(selection) FROM trail_event WHERE (event, page) > ($1, $2) ORDER BY event, page LIMIT $3
                    """)
        }
    }

    /// A text that is behind all events' ids.
    private func behindLast() throws -> String {
        try connection.run("SELECT coalesce(max(event), '') || '~' FROM trail_event")[0].text(0)
    }

    /// Visits rows, which begin with their event and their page, until `visit` returns false.
    private func walk(
        _ query: PostgresStatement, from event: String, _ visit: (PostgresRow) throws -> Bool
    ) throws {
        // No page is -1: either way, that is right before the event.
        var place = TrailPlace(event: event, page: -1)
        while true {
            let found = try connection.run(
                query, [.text(place.event), .int64(place.page), .int64(Int64(Self.pageLength))])
            for row in found { guard try visit(row) else { return } }
            guard let last = found.last, found.count == Self.pageLength else { return }
            place = TrailPlace(event: try last.text(0), page: try last.int64(1))
        }
    }
}
