import Foundation
import GRDB
import GRDBSQLite
import Inbox
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// The cost of lists in the steps that SQLite takes. Steps do not depend on the machine, nor on its other work.
struct ListReaderTests {
    /// Numbers of read rows in an inbox whose first row is unread.
    private static let others = [100, 10_000]

    private func withInboxes(_ body: (Database) throws -> Void) throws {
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        try database.write { db in
            for (inbox, count) in zip(1..., Self.others) {
                try db.execute(
                    sql: "INSERT INTO inbox VALUES (?, ?, 'e', ?, 1, 1, ?, 0, NULL, NULL, NULL, NULL, NULL, NULL)",
                    arguments: [inbox, "user-\(inbox)", count + 1, count + 1])
                try db.execute(
                    sql: """
                        WITH RECURSIVE row(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM row WHERE id <= ?2)
                        INSERT INTO notification (inbox, id, content, created_at, rev, seq, is_read, is_seen, unread_after,
                            unseen_after, place, type_mark, group_mark)
                        SELECT ?1, id, 1, 0, 1, id, id > 1, id > 1, 1, 1, id, 7, NULL FROM row
                        """, arguments: [inbox, count])
                try ReadSpanTable(db).add((1...Int64(count)).map { $0 + 1 }, inbox: Int64(inbox))
            }
            try body(db)
        }
    }

    /// - Returns: how many steps `body` takes in both inboxes, once its statements are there.
    private func steps(_ db: Database, _ body: (ListReader) throws -> Void, _ filter: NotificationFilter) throws
        -> [Int]
    {
        try Self.others.indices.map { index in
            let list = ListReader(db, filter, inbox: Int64(index + 1))
            try body(list)
            let counter = StepCounter()
            return try counter.count(in: db) { try body(list) }
        }
    }

    /// A statement's beginning is not always counted to the last step.
    private func areEqual(_ steps: [Int]) -> Bool { abs(steps[0] - steps[1]) <= 2 }

    @Test func `unread rows are found and counted in as many steps, however many others there are`() throws {
        try withInboxes { db in
            let unread = NotificationFilter(unreadOnly: true)
            let pages = try steps(
                db,
                { (list: ListReader) throws in
                    #expect(try list.rows(in: .init(upTo: 1_000_000), limit: 20, skipping: 0).map(\.id) == [1])
                }, unread)
            #expect(areEqual(pages), "\(pages)")
            let counts = try steps(
                db, { (list: ListReader) throws in #expect(try list.count(in: .init(upTo: 1_000_000)) == 1) }, unread)
            #expect(areEqual(counts), "\(counts)")
            let typed = try steps(
                db,
                { (list: ListReader) throws in #expect(try list.rows(in: .init(), limit: 20, skipping: 0).isEmpty) },
                NotificationFilter(unreadOnly: true, types: ["A"]))
            #expect(areEqual(typed), "\(typed)")
        }
    }

    @Test func `a page of all rows takes as many steps as it has rows, wherever it begins`() throws {
        try withInboxes { db in
            let steps = try steps(
                db,
                { (list: ListReader) throws in
                    #expect(
                        try list.rows(in: .init(above: 0, upTo: 9), limit: 5, skipping: 0).map(\.id) == [9, 8, 7, 6, 5])
                }, NotificationFilter())
            #expect(areEqual(steps), "\(steps)")
        }
    }

    @Test func `rows that came up again cost a page what others do`() throws {
        try withInboxes { db in
            try db.execute(sql: "UPDATE notification SET place = 100000 + id WHERE inbox = 2 AND id % 2 = 0")
            let list = ListReader(db, NotificationFilter(), inbox: 2)
            func page(_ span: ListSpan) throws -> (ids: [Int64], steps: Int) {
                var ids: [Int64] = []
                _ = try list.rows(in: span, limit: 20, skipping: 0)
                let steps = try StepCounter().count(in: db) {
                    ids = try list.rows(in: span, limit: 20, skipping: 0).map(\.id)
                }
                return (ids, steps)
            }
            let (top, last) = (try page(.init()), try page(.init(upTo: 100_041)))
            #expect(top.ids == Array(stride(from: 10_000, to: 9_960, by: -2)))
            #expect(last.ids == Array(stride(from: 40, to: 0, by: -2)))
            #expect(abs(top.steps - last.steps) < 20, "\(top.steps) and \(last.steps)")
            #expect(try page(.init(upTo: 100_003)).ids == [2] + stride(from: 10_001, to: 9_963, by: -2))
        }
    }

    @Test func `types and groups are told apart without a look at contents`() throws {
        try withInboxes { db in
            try db.execute(
                sql: "UPDATE notification SET type_mark = ?, group_mark = ? WHERE inbox = 2 AND id IN (3, 9000)",
                arguments: [ListMark.of("ASKED"), ListMark.of("g")])
            // There is no content at all.
            for filter in [
                NotificationFilter(types: ["ASKED", "SAID"]), NotificationFilter(group: "g"),
                NotificationFilter(group: "g", types: ["ASKED"]),
            ] {
                let list = ListReader(db, filter, inbox: 2)
                #expect(try list.rows(in: .init(), limit: 9, skipping: 0).map(\.id) == [9_000, 3])
                #expect(try list.rows(in: .init(), limit: 9, skipping: 1).map(\.id) == [3])
                #expect(try list.count(in: .init(upTo: 8_999)) == 1)
            }
            #expect(try ListReader(db, NotificationFilter(types: []), inbox: 2).count(in: .init()) == 0)
            #expect(try ListReader(db, NotificationFilter(group: "h"), inbox: 2).count(in: .init()) == 0)
        }
    }

    @Test func `the marks of names never change, as they stand in stores`() {
        #expect(ListMark.of("") == 31_767_795_053_760)
        #expect(ListMark.of("ROOM_LIKE") != ListMark.of("ROOM_LIKED"))
        #expect(ListMark.of("requests:round-7") < 1 << 47)
    }
}

/// Counts the instructions of SQLite's machine.
private final class StepCounter {
    private var steps = 0

    func count(in db: Database, _ body: () throws -> Void) throws -> Int {
        let connection = db.sqliteConnection
        sqlite3_progress_handler(
            connection, 1,
            { context in
                guard let context else { return 0 }
                Unmanaged<StepCounter>.fromOpaque(context).takeUnretainedValue().steps += 1
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(connection, 0, nil, nil) }
        try withExtendedLifetime(self) { try body() }
        return steps
    }
}
