/// A table that a migration copies. Its columns are those that both engines can tell, by PostgreSQL's names.
package struct MigratedTable: Hashable, Sendable {
    package struct Column: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            case number
            /// A boolean in PostgreSQL, and 0 or 1 in SQLite.
            case truth
            /// A text for both engines, without U+0000.
            case text
            /// A text in SQLite. Bytes in PostgreSQL, whose texts hold no U+0000.
            case octets
            /// Bytes for both engines.
            case bytes
        }

        package let name: String
        package let kind: Kind

        package init(_ name: String, _ kind: Kind) { (self.name, self.kind) = (name, kind) }
    }

    package let name: String
    /// Names a row, and orders them.
    package let key: [Column]
    package let columns: [Column]

    init(
        _ name: String, key: [String], numbers: [String] = [], truths: [String] = [], texts: [String] = [],
        octets: [String] = [], bytes: [String] = []
    ) {
        self.name = name
        let all =
            numbers.map { Column($0, .number) } + truths.map { Column($0, .truth) } + texts.map { Column($0, .text) }
            + octets.map { Column($0, .octets) } + bytes.map { Column($0, .bytes) }
        columns = all
        self.key = key.compactMap { name in all.first { $0.name == name } }
    }
}
