import GRDB
import Inbox
import Support
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// Stretches of read rows, against a plain list of places.
struct ReadSpanTests {
    /// A row of an inbox's list, without any thought of speed.
    private struct PlainRow {
        let id: Int64
        var place: Int64
        var isRead = false
    }

    private struct Inbox {
        static let number: Int64 = 7

        let db: Database
        let table: NotificationTable
        var rows: [PlainRow] = []
        var seq: Int64 = 0

        init(_ db: Database) throws { (self.db, table) = (db, try NotificationTable(db, PushOnlyTable(db))) }

        mutating func come() throws {
            seq += 1
            try db.execute(
                sql: """
                    INSERT INTO notification (inbox, id, content, created_at, rev, seq, is_read, is_seen, unread_after,
                        unseen_after, place, type_mark) VALUES (?1, ?2, 1, 0, 1, ?2, 0, 0, 1, 1, ?2, ?3)
                    """, arguments: [Self.number, seq, ListMark.of(seq % 3 == 0 ? "A" : "B")])
            rows.append(PlainRow(id: seq, place: seq))
        }

        mutating func read(_ ids: Set<Int64>) throws {
            seq += 1
            let records = try ids.sorted(by: >).compactMap { try table.record(inbox: Self.number, id: $0) }
            try table.markRead(records.filter { !$0.isRead }, inbox: Self.number)
            for index in rows.indices where ids.contains(rows[index].id) { rows[index].isRead = true }
        }

        mutating func remove(_ ids: Set<Int64>) throws {
            seq += 1
            let gone = try ids.sorted().compactMap { try table.record(inbox: Self.number, id: $0) }
            try table.remove(gone, inbox: Self.number)
            rows.removeAll { ids.contains($0.id) }
        }

        mutating func raise(_ id: Int64) throws {
            seq += 1
            guard let index = rows.firstIndex(where: { $0.id == id }), !rows[index].isRead,
                var record = try table.record(inbox: Self.number, id: id)
            else { return }
            record.place = seq
            try table.raise(record, from: rows[index].place, inbox: Self.number, at: .at(0))
            rows[index].place = seq
        }

        /// Every stretch is true, and no two could be one.
        func checkSpans(_ seed: Int) throws {
            let spans: [ClosedRange<Int64>] = try Row.fetchAll(
                db, sql: "SELECT first, last FROM read_span WHERE inbox = ? ORDER BY last", arguments: [Self.number]
            ).map { row in
                let (first, last): (Int64, Int64) = (row[0], row[1])
                return first...last
            }
            let unread = rows.filter { !$0.isRead }.map(\.place)
            for span in spans { #expect(!unread.contains(where: span.contains), "seed \(seed)") }
            for (one, next) in zip(spans, spans.dropFirst()) {
                #expect(
                    unread.contains { one.upperBound < $0 && $0 < next.lowerBound }, "seed \(seed): \(one), \(next)")
            }
            for row in rows where row.isRead {
                #expect(spans.contains { $0.contains(row.place) }, "seed \(seed): \(row.place)")
            }
        }

        func checkLists(_ seed: Int, _ random: inout SeededRandom) throws {
            let span = ListSpan(
                above: Int64(random.next(below: 20)), upTo: seq - Int64(random.next(below: 20)))
            let (limit, skipped) = (random.next(below: 30), random.next(below: 4))
            for types in [nil, ["A"]] as [Set<String>?] {
                let list = ListReader(db, NotificationFilter(unreadOnly: true, types: types), inbox: Self.number)
                let expected = rows.sorted { $0.place > $1.place }
                    .filter { !$0.isRead && span.contains($0.place) && (types == nil || $0.id % 3 == 0) }.map(\.id)
                #expect(
                    try list.rows(in: span, limit: limit, skipping: Int64(skipped)).map(\.id)
                        == expected.dropFirst(skipped).prefix(limit).map(\.self), "seed \(seed)")
                #expect(try list.count(in: span) == expected.count, "seed \(seed)")
            }
        }
    }

    @Test(arguments: Seeds.some(8, of: 40))
    func `unread rows are listed as a plain list has them, whatever is read, removed and raised`(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        try database.write { db in
            var inbox = try Inbox(db)
            for _ in 0..<150 {
                let ids = inbox.rows.map(\.id)
                func some(_ most: Int) -> Set<Int64> {
                    Set((0..<random.next(below: most + 1)).compactMap { _ in ids.randomElement(using: &random) })
                }
                switch random.next(below: 20) {
                case 0..<9: try inbox.come()
                case 9..<13: try inbox.read(some(3))
                case 13: try inbox.read(Set(ids.prefix(random.next(below: ids.count + 1))))
                case 14..<17: try inbox.remove(some(2))
                default: if let id = ids.randomElement(using: &random) { try inbox.raise(id) }
                }
                try inbox.checkSpans(seed)
                try inbox.checkLists(seed, &random)
            }
        }
    }

    @Test func `rows that were read before there were stretches have them, too`() throws {
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database, upTo: "15")
        try database.write { db in
            for (inbox, isRead) in [(1, [1, 1, 0, 1, 0, 0, 1, 1]), (2, [0, 0]), (3, [1])] {
                for (index, isRead) in isRead.enumerated() {
                    try db.execute(
                        sql: """
                            INSERT INTO notification (inbox, id, content, created_at, rev, seq, is_read, is_seen,
                                unread_after, unseen_after) VALUES (?1, ?2, 1, 0, 1, ?2, ?3, 1, 0, 0)
                            """, arguments: [inbox, (index + 1) * 10, isRead])
                }
            }
        }
        try Schema.migrations.migrate(database)
        let spans = try database.read { db in
            try Row.fetchAll(db, sql: "SELECT inbox, first, last FROM read_span ORDER BY inbox, last").map {
                [$0[0], $0[1], $0[2]] as [Int]
            }
        }
        #expect(spans == [[1, 10, 20], [1, 40, 40], [1, 70, 80], [3, 10, 10]])
    }

    @Test(arguments: ["first", "last", "inbox", "seal"])
    func `a damaged stretch hides nothing, and is written anew`(column: String) throws {
        for bit in 0..<12 {
            let database = try DatabaseQueue()
            try Schema.migrations.migrate(database)
            try database.write { db in
                var inbox = try Inbox(db)
                for _ in 1...60 { try inbox.come() }
                try inbox.read(Set(11...40))
                try db.execute(sql: "UPDATE read_span SET \(column) = \(column) + \(1 << bit)")
                // Its inbox is another one's now, which has no such stretch.
                var random = SeededRandom(seed: UInt64(bit))
                for _ in 1...20 { try inbox.checkLists(bit, &random) }
                try inbox.read(Set(1...60))
                let list = ListReader(db, NotificationFilter(unreadOnly: true), inbox: Inbox.number)
                #expect(try list.all().isEmpty)
                #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM read_span WHERE inbox = 7 AND first = 1") == 1)
            }
        }
    }
}
