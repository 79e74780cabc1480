import Migration
import Postgres
import Verification

/// The database in one snapshot, as checks read it.
final class PostgresMoment: StoreMoment {
    /// Rows that one statement reads.
    private static let together = 2_000

    private let connection: PostgresConnection
    /// What a new store would have in its schema, and this one has not.
    private let missingInSchema: [String]
    private var cursors = 0

    init(connection: PostgresConnection, missingInSchema: [String]) {
        (self.connection, self.missingInSchema) = (connection, missingInSchema)
    }

    func ownFindings(_ progress: (String) -> Void) throws -> [Finding] {
        var schema = Finding(
            check: "schema", meaning: "columns, indexes or sequences that are not as this version makes them")
        for missing in missingInSchema { schema.add(missing) }
        var findings = schema.count > 0 ? [schema] : []
        for check in OwnCheck.all {
            progress("checking \(check.name)")
            var finding = Finding(check: check.name, meaning: check.meaning, mends: check.mends)
            try visit(check.query, [.text]) { cells in
                if case .octets(let name) = cells[0] { finding.add(String(decoding: name, as: UTF8.self)) }
            }
            if finding.count > 0 { findings.append(finding) }
        }
        return findings
    }

    func visit(_ table: MigratedTable, _ body: (_ key: [Cell], _ row: [Cell]?) throws -> Void) throws {
        let parts = table.storedKey
        var last: [Cell]?
        while true {
            let values = zip(last ?? [], parts).map { $0.value($1.kind) }
            let found = try undoable {
                try connection.run(
                    table.selection(behindKey: last != nil), [.int64(Int64(Self.together))] + values)
            }
            for row in found {
                let key = try parts.enumerated().map { try Cell(row, table.columns.count + $0, $1.kind) }
                try body(key, try table.columns.enumerated().map { try Cell(row, $0, $1.kind) })
                last = key
            }
            if found.count < Self.together { return }
        }
    }

    func visit(_ sql: String, _ kinds: [MigratedTable.Column.Kind], _ body: ([Cell]) throws -> Void) throws {
        // Another name each time: the server remembers which columns a name's rows have.
        cursors += 1
        let cursor = "checked_\(cursors)"
        try undoable {
            try connection.run(PostgresStatement(composed: "DECLARE \(cursor) NO SCROLL CURSOR FOR \(sql)"))
            while true {
                let found = try connection.run(
                    PostgresStatement(composed: "FETCH \(Self.together) FROM \(cursor)"))
                for row in found { try body(try kinds.enumerated().map { try Cell(row, $0, $1) }) }
                if found.count < Self.together { break }
            }
            try connection.run(PostgresStatement(composed: "CLOSE \(cursor)"))
        }
    }

    /// A statement that fails would end the transaction, and all checks behind it.
    private func undoable<Value>(_ body: () throws -> Value) throws -> Value {
        try connection.queue("SAVEPOINT checked")
        do {
            let value = try body()
            try connection.queue("RELEASE SAVEPOINT checked")
            return value
        } catch {
            try connection.run("ROLLBACK TO SAVEPOINT checked")
            throw error
        }
    }
}
