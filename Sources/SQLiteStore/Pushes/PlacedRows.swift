import Deliveries
import GRDB

/// Reads rows of the queue of pushes at known places, several at once.
struct PlacedRows {
    private static let most = 16

    private let find: StatementsByCount

    /// - Parameter condition: leaves out rows that do not fulfil it.
    init(_ db: Database, _ columns: String, where condition: String = "TRUE") {
        find = StatementsByCount(db, most: Self.most) { count in
            let places = repeatElement("?", count: count).joined(separator: ", ")
            return "SELECT \(columns) FROM push_job WHERE place IN (\(places)) AND (\(condition))"
        }
    }

    /// In no particular order.
    func all<Value>(_ places: [PushTurns.Place], _ body: (StoredRow) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        var rest = places[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.most)
            rest = rest.dropFirst(some.count)
            try find(some.count).forEach(
                { arguments in
                    for place in some { arguments.append(place.position.rawValue) }
                }, { values.append(try body($0)) })
        }
        return values
    }
}
