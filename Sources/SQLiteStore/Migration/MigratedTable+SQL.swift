import Deliveries
import Migration

/// How SQLite reads and writes a migration's rows.
///
/// Texts are read and written as their bytes: they may have a U+0000.
extension MigratedTable {
    /// A part of a row's key, in the order of the table's rows.
    private struct KeyPart {
        let sql: String
        let isText: Bool
    }

    /// Selects the columns of rows behind a key and then that key; all rows without a key.
    func selection(behindKey: Bool) -> String {
        let key = storedKey
        let texts =
            columns.map { Self.read(source(of: $0), isText: $0.isText) }
            + key.map { Self.read($0.sql, isText: $0.isText) }
        let place = key.map(\.sql).joined(separator: ", ")
        let asked = key.map { Self.written("?", isText: $0.isText) }.joined(separator: ", ")
        return """
            SELECT \(texts.joined(separator: ", ")) FROM "\(name)"
            \(behindKey ? "WHERE (\(place)) > (\(asked))" : "") ORDER BY \(place) LIMIT ?
            """
    }

    /// How many columns the key has in the selection.
    var storedKeyCount: Int { storedKey.count }

    /// Inserts a row of the columns.
    var insertion: String {
        let given = columns.map { "\(Self.written("?", isText: $0.isText)) AS \"\($0.name)\"" }
        let stored = storedColumns
        return """
            INSERT INTO "\(name)" (\(stored.map(\.column).joined(separator: ", ")))
            SELECT \(stored.map(\.sql).joined(separator: ", ")) FROM (SELECT \(given.joined(separator: ", ")))
            """
    }

    // MARK: Where SQLite keeps it otherwise

    /// Of a row of `change`: its column `ids` holds a place then (``LoggedChange/columns``).
    private static let isRaised = "kind = 8"

    /// What gives the column's value.
    private func source(of column: Column) -> String {
        let bits = PushJobNumber.bits
        return switch (name, column.name) {
        case ("notification", "stored_at"): "coalesce(stored_at, created_at)"
        case ("change", "place"): "CASE WHEN \(Self.isRaised) THEN CAST(ids AS INTEGER) END"
        case ("change", "ids"): "CASE WHEN NOT \(Self.isRaised) THEN ids END"
        case ("push_job", "device"): "((number + \(PushJobNumber.badges)) >> \(bits))"
        case ("push_job", "notification"):
            "(number - (((number + \(PushJobNumber.badges)) >> \(bits)) << \(bits)))"
        case ("push_job", "provider"): "(place >> \(QueuePlace.timeBits + QueuePlace.turnBits))"
        case ("push_job", "due"): "((place >> \(QueuePlace.turnBits)) & \((Int64(1) << QueuePlace.timeBits) - 1))"
        case ("push_job", "turn"): "(place & \((Int64(1) << QueuePlace.turnBits) - 1))"
        default: "\"\(column.name)\""
        }
    }

    /// The table's own columns, and what gives their values.
    private var storedColumns: [(column: String, sql: String)] {
        columns.compactMap(storedColumn) + (name == "push_job" ? Self.place : [])
    }

    /// Nil for a column that SQLite does not have.
    private func storedColumn(_ column: Column) -> (column: String, sql: String)? {
        let quoted = "\"\(column.name)\""
        switch (name, column.name) {
        case ("notification", "stored_at"): return (quoted, "nullif(stored_at, created_at)")
        case ("change", "ids"): return (quoted, "CASE WHEN \(Self.isRaised) THEN CAST(place AS TEXT) ELSE ids END")
        case ("change", "place"), ("push_job", "device"), ("push_job", "notification"), ("push_job", "provider"),
            ("push_job", "due"), ("push_job", "turn"):
            return nil
        default: return (quoted, quoted)
        }
    }

    /// A push's number and place.
    private static let place: [(column: String, sql: String)] = [
        ("number", PushJobNumber.of("device", "notification")),
        ("place", "(((provider << \(QueuePlace.timeBits)) + due) << \(QueuePlace.turnBits)) + turn"),
    ]

    private var storedKey: [KeyPart] {
        if name == "push_job" { return [KeyPart(sql: "place", isText: false)] }
        return key.map { KeyPart(sql: "\"\($0.name)\"", isText: $0.isText) }
    }

    private static func read(_ sql: String, isText: Bool) -> String { isText ? "CAST(\(sql) AS BLOB)" : sql }
    private static func written(_ sql: String, isText: Bool) -> String { isText ? "CAST(\(sql) AS TEXT)" : sql }
}

extension MigratedTable.Column {
    var isText: Bool { kind == .text || kind == .octets }
    var isNumber: Bool { kind == .number || kind == .truth }
}
