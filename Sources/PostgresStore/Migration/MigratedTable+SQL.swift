import Migration
import Postgres

/// How PostgreSQL reads and writes a migration's rows.
extension MigratedTable {
    /// Selects the columns of rows behind a key and then that key; all rows without a key.
    func selection(behindKey: Bool) -> PostgresStatement {
        let key = storedKey.map(\.sql).joined(separator: ", ")
        let asked = storedKey.indices.map { "$\($0 + 2)" }.joined(separator: ", ")
        return PostgresStatement(
            composed: """
                SELECT \(columns.map { "\"\($0.name)\"" }.joined(separator: ", ")), \(key) FROM "\(name)"
                \(behindKey ? "WHERE (\(key)) > (\(asked))" : "") ORDER BY \(key) LIMIT $1
                """)
    }

    /// A part of a row's key, by an index that PostgreSQL has.
    var storedKey: [(sql: String, kind: Column.Kind)] {
        // The index has no fold keys: they may be long.
        if name == "push_pace" { return [("inbox", .number), ("sha256(fold_key)", .bytes)] }
        return key.map { ("\"\($0.name)\"", $0.kind) }
    }

    /// Inserts rows of the columns, which come as an array each.
    var insertion: PostgresStatement {
        let names = columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let values = columns.map { $0.kind == .truth ? "\"\($0.name)\" <> 0" : "\"\($0.name)\"" }
        // No node has this number, so the caretaker goes on with the broadcast.
        let own = name == "broadcast" ? (names: ", node", values: ", 0") : (names: "", values: "")
        let arrays = columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
        return PostgresStatement(
            composed: """
                INSERT INTO "\(name)" (\(names)\(own.names))
                SELECT \(values.joined(separator: ", "))\(own.values) FROM unnest(\(arrays)) AS new (\(names))
                """)
    }

    /// The arrays of the insertion.
    func arrays(of rows: [[Cell]]) -> [PostgresValue] {
        columns.enumerated().map { place, column in
            switch column.kind {
            case .number, .truth: .int64s(rows.map { $0[place].asNumber })
            case .text: .texts(rows.map { $0[place].asOctets.map { String(decoding: $0, as: UTF8.self) } })
            case .octets, .bytes: .byteArrays(rows.map { $0[place].asOctets })
            }
        }
    }
}

extension Cell {
    /// Reads a column of this kind.
    init(_ row: PostgresRow, _ column: Int, _ kind: MigratedTable.Column.Kind) throws {
        switch kind {
        case .number: self = try row.int64OrNil(column).map(Cell.number) ?? .null
        case .truth: self = try row.boolOrNil(column).map { .number($0 ? 1 : 0) } ?? .null
        case .text, .octets, .bytes: self = try row.bytesOrNil(column).map(Cell.octets) ?? .null
        }
    }

    /// As a parameter of this kind.
    func value(_ kind: MigratedTable.Column.Kind) -> PostgresValue {
        switch kind {
        case .number, .truth: .int64(asNumber)
        case .text: .text(asOctets.map { String(decoding: $0, as: UTF8.self) })
        case .octets, .bytes: .bytes(asOctets)
        }
    }

    fileprivate var asNumber: Int64? { if case .number(let number) = self { number } else { nil } }
    fileprivate var asOctets: [UInt8]? { if case .octets(let octets) = self { octets } else { nil } }
}
