import Foundation
import GRDB
import Testing

@testable import SQLiteStore
@testable import Store

struct SchemaTests {
    @Test func `the file of the present schema is what the migrations leave`() throws {
        let path = "../../../Sources/SQLiteStore/Schema/current.sql"
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: path)
        let (migrated, written) = (try DatabaseQueue(), try DatabaseQueue())
        try Schema.migrations.migrate(migrated)
        let sql = try String(contentsOf: file, encoding: .utf8)
        try written.write { try $0.execute(sql: sql) }
        let (left, told) = (try migrated.read(Self.declarations), try written.read(Self.declarations))
        #expect(left.subtracting(told).sorted() == [], "missing in the file")
        #expect(told.subtracting(left).sorted() == [], "not in a new store")
    }

    /// What the database declares, without comments, quotes and differences in white space.
    private static func declarations(_ db: Database) throws -> Set<String> {
        let all = try String.fetchAll(db, sql: "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")
        return Set(
            all.map { sql in
                let lines = sql.components(separatedBy: "\n").map { $0.components(separatedBy: "--")[0] }
                let bare = lines.joined(separator: " ").replacing("\"", with: "")
                let apart = ["(", ")", ","].reduce(bare) { $0.replacing($1, with: " \($1) ") }
                return apart.split(separator: " ").joined(separator: " ")
            })
    }

    /// SQLite's `integrity_check` (3.40) takes the columns of a table without row ids in the order of the declaration,
    /// and the key's columns lie first.
    @Test func `tables without row ids begin with their keys, so that sound rows are not called damaged`() throws {
        let queue = try DatabaseQueue()
        try Schema.migrations.migrate(queue)
        let tables = try queue.read { db in
            try String.fetchAll(
                db, sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND wr AND type = 'table'")
        }
        #expect(tables.contains("read_span"))
        for table in tables {
            let keys = try queue.read { db in
                try Int.fetchAll(db, sql: "SELECT pk FROM pragma_table_info(?) ORDER BY cid", arguments: [table])
            }
            let width = keys.count { $0 > 0 }
            #expect(Array(keys.prefix(width)) == Array(1...width), "\(table)")
        }
    }

    @Test func `stretches of read rows outlast the change of their table, and the check finds them sound`() throws {
        let queue = try DatabaseQueue()
        try Schema.migrations.migrate(queue, upTo: "17")
        try queue.write { db in
            try db.execute(sql: "INSERT INTO read_span (inbox, first, last, seal) VALUES (4, 2, 1100, 7)")
        }
        try Schema.migrations.migrate(queue)
        try queue.read { db in
            let row = try #require(try Row.fetchOne(db, sql: "SELECT inbox, first, last, seal FROM read_span"))
            #expect(row == ["inbox": 4, "first": 2, "last": 1_100, "seal": 7])
            #expect(try String.fetchAll(db, sql: "PRAGMA integrity_check") == ["ok"])
        }
    }
}
