/// What both stores have, table by table.
package struct MigrationReport: Hashable, Sendable {
    package struct Line: Hashable, Sendable {
        package let table: String
        package let source: TableSum
        package let target: TableSum

        package var isEqual: Bool { source == target }
    }

    package internal(set) var tables: [Line] = []

    package var isEqual: Bool { tables.allSatisfy(\.isEqual) }
    /// The source's.
    package var rows: Int64 { tables.reduce(0) { $0 + $1.source.rows } }
}
