import GRDB
import GRDBSQLite
import Inbox
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct KeyTableTests {
    private static func name(_ key: String) -> EventKey { EventKey(key, of: "backend") }

    /// A store's tables, with an event of so many pages.
    private static func store(pages: Int, key: String = "k") throws -> DatabaseQueue {
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        try database.write { db in
            for page in 0..<pages {
                try db.execute(
                    sql: """
                        INSERT INTO trail_event (event, page, publisher, key, type, accepted_at, verdicts)
                        VALUES ('event', ?, 'backend', ?, 'said', 0, x'')
                        """, arguments: [page, key])
            }
        }
        return database
    }

    /// How many instructions of its own SQLite takes to look the names up, where one of them is known.
    private static func steps(for names: [EventKey], pages: Int) throws -> Int {
        try store(pages: pages).read { db in
            let keys = try KeyTable(db, DamageWatch())
            let before = db.steps
            #expect(try keys.known(among: names) == [name("k")])
            return db.steps - before
        }
    }

    @Test func `a key is found in as many steps whether its event has one page or thousands`() throws {
        let names = [Self.name("new"), Self.name("k"), Self.name("newer")]
        let few = try Self.steps(for: names, pages: 1)
        #expect(few > 0)
        #expect(try Self.steps(for: names, pages: 2_000) == few)
    }

    @Test func `a key is looked up once, however often it is named`() throws {
        let names = [Self.name("new"), Self.name("k")]
        let often = (0..<100).flatMap { _ in names }
        #expect(try Self.steps(for: often, pages: 3) == Self.steps(for: names, pages: 3))
    }

    @Test func `keys are told apart whose digests are the same`() throws {
        let names = ["order-4711-paid!", "qoo2zxjb2QFrD3Ha", "order-4711-paid!", "qoo2zxjb2QFrD3Ha"].map(Self.name)
        #expect(names[0].digest == names[1].digest)
        for known in names.prefix(2) {
            let found = try Self.store(pages: 1, key: known.key.text).read {
                try KeyTable($0, DamageWatch()).known(among: names)
            }
            #expect(found == [known])
        }
    }
}

extension Database {
    /// So many instructions have the statements of this connection run until now.
    fileprivate var steps: Int {
        var steps = 0
        var statement = sqlite3_next_stmt(sqliteConnection, nil)
        while let current = statement {
            steps += Int(sqlite3_stmt_status(current, SQLITE_STMTSTATUS_VM_STEP, 0))
            statement = sqlite3_next_stmt(sqliteConnection, current)
        }
        return steps
    }
}
