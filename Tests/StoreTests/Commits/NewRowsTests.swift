import GRDB
import Inbox
import Testing

@testable import SQLiteStore
@testable import Store

struct NewRowsTests {
    private static func content(_ text: String) -> Content {
        let batch = Batch(tallies: [], samples: [], earliest: .at(0), latest: .at(0))
        return Content(type: "ADDED", displayText: text, body: Array(#""actor":null"#.utf8), batch: batch, push: nil)
    }

    @Test func `contents that a batch has outgrown in the same transaction are neither written nor kept`() throws {
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        try database.write { db in
            let cache = ContentCache(capacity: 8, lastID: 0)
            let rows = try NewRows(
                NotificationTable(db, PushOnlyTable(db)), ContentTable(db), ContentSources(db, DamageWatch()), cache,
                DamageWatch())
            var shown: Int64?
            for number in 1...3 {
                let id = try rows.insert(Self.content("\(number)"), event: "event-\(number)", actor: nil)
                rows.addUses(1, ofContent: id)
                if let shown { rows.addUses(-1, ofContent: shown) }
                shown = id
            }
            try rows.write()
            #expect(rows.isEmpty)
            #expect(try String.fetchAll(db, sql: "SELECT text FROM content") == ["3"])
            #expect((1...3).map { cache.content($0)?.displayText } == [nil, nil, "3"])
        }
    }
}
