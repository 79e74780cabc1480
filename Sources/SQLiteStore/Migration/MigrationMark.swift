import GRDB
import Migration

/// The table `migration` of a database that `belfry migrate` is filling: how far each table is. No server opens such a
/// database.
enum MigrationMark {
    static func isThere(_ db: Database) throws -> Bool { try db.tableExists("migration") }

    static func make(_ db: Database) throws {
        try db.execute(
            sql: """
                CREATE TABLE migration (
                    name TEXT PRIMARY KEY,
                    last BLOB,
                    is_done INTEGER NOT NULL
                ) STRICT, WITHOUT ROWID
                """)
    }

    static func remove(_ db: Database) throws { try db.execute(sql: "DROP TABLE migration") }

    static func place(of table: String, _ db: Database) throws -> TablePlace {
        try db.statement(sql: "SELECT is_done, last FROM migration WHERE name = ?").first([table]) { row in
            if try row.bool(0) { return .end }
            guard let key = try row.bytes(1).flatMap([Cell].init(encoded:)) else { throw DamagedColumn() }
            return .behind(key)
        } ?? .beginning
    }

    static func write(_ place: TablePlace, of table: String, _ db: Database) throws {
        var last: [UInt8]?
        if case .behind(let key) = place { last = key.encoded }
        try db.statement(sql: "INSERT OR REPLACE INTO migration (name, last, is_done) VALUES (?, ?, ?)")
            .execute(arguments: [table, last, place == .end])
    }
}
