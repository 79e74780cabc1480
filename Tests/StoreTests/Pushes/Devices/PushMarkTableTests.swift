import Foundation
import GRDB
import Inbox
import Push
import Support
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

struct PushMarkTableTests {
    private func withTable(
        telling damage: DamageWatch = DamageWatch(), _ body: (Database, PushMarkTable) throws -> Void
    ) throws {
        let database = try DatabaseQueue()
        try Schema.migrations.migrate(database)
        try database.write { db in
            let table = try PushMarkTable(db, .standard, damage)
            try body(db, table)
        }
    }

    private func mark(_ notification: Int64, _ collapse: String? = nil, at second: Int64? = nil) -> PushMark {
        PushMark(
            notification: notification, provider: .apns, collapse: collapse, sentAt: second.map(Timestamp.at))
    }

    private func rows(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "SELECT count(*) FROM push_mark") ?? 0 }

    @Test func `marks of what is only pushed do not displace those of the inbox`() throws {
        try withTable { _, table in
            let first = PushOnlyNumber.all.lowerBound
            try table.add((1...50).map { mark($0) } + (1...60).map { mark(first + $0) }, device: 1)
            #expect(try table.trim(device: 1, upTo: first + 60, keeping: 50).count == 10)
            #expect(try table.trim(device: 1, upTo: 50, keeping: 50).isEmpty)
            #expect(try table.marks(device: 1).count == 100)
        }
    }

    // MARK: Adding

    @Test func `marks stand in the order in which they came, each device's by themselves`() throws {
        try withTable { db, table in
            let (ones, twos) = ([mark(3), mark(1, "c"), mark(2, at: 5)], [mark(1, at: 1)])
            for mark in ones { try table.add(mark, device: 1) }
            for mark in twos { try table.add(mark, device: 2) }
            #expect(try table.marks(device: 1) == ones)
            #expect(try table.marks(device: 2) == twos)
            #expect(try table.marks(device: 3) == [])
            #expect(try table.mark(device: 1, notification: 2) == ones[2])
            #expect(try table.mark(device: 2, notification: 2) == nil)
            #expect(try rows(db) == 2)
        }
    }

    @Test(arguments: [1, 15, 16, 17, 40])
    func `marks of many devices are added as each device's would be`(_ devices: Int64) throws {
        try withTable { db, table in
            try table.add(mark(7, String(repeating: "c", count: 64)), device: 2)
            var expected: [Int64: [PushMark]] = [2: try table.marks(device: 2)]
            // Longer than the room that statements have for each.
            let added = (1...devices).map { device in
                (
                    device: device,
                    mark: mark(device + 9, device % 3 == 0 ? String(repeating: "d", count: 99) : nil, at: device)
                )
            }
            for (device, mark) in added { expected[device, default: []].append(mark) }
            try table.add(added)
            for (device, marks) in expected { #expect(try table.marks(device: device) == marks) }
            #expect(try rows(db) == expected.count)
        }
    }

    @Test func `bytes come through that no text would have`() throws {
        try withTable { db, table in
            // Heads and times of zeros, octets that no character has, and an id of zeros.
            let marks = (Int64(0)..<300).map { number in
                PushMark(
                    notification: number, provider: .apns, collapse: number % 3 == 0 ? "a\u{0}\u{0}b" : nil,
                    sentAt: number % 2 == 0 ? Timestamp(milliseconds: 0) : Timestamp(milliseconds: -number))
            }
            for mark in marks { try table.add(mark, device: 1) }
            #expect(try table.marks(device: 1) == marks)
            let stored = try Row.fetchOne(db, sql: "SELECT typeof(marks) AS type, marks FROM push_mark")
            #expect(stored?["type"] == "blob")
            #expect(stored?["marks"] == Data(marks.bytes))
        }
    }

    // MARK: Writing once more

    @Test func `a mark that is put takes the place of its notification's, whose time stays`() throws {
        try withTable { _, table in
            for mark in [mark(1, at: 1), mark(2), mark(3, "c", at: 3)] { try table.add(mark, device: 1) }
            try table.put(mark(1, "new", at: 10), device: 1)
            try table.put(mark(2, at: 10), device: 1)
            try table.put(PushMark(notification: 3, provider: .fcm), device: 1)
            #expect(
                try table.marks(device: 1) == [
                    mark(1, "new", at: 1), mark(2, at: 10),
                    PushMark(notification: 3, provider: .fcm, sentAt: .at(3)),
                ])
            try table.put(mark(4), device: 1)
            try table.put(mark(1, at: 5), device: 2)
            #expect(try table.marks(device: 1).map(\.notification) == [1, 2, 3, 4])
            #expect(try table.marks(device: 2) == [mark(1, at: 5)])
        }
    }

    // MARK: Taking

    @Test func `marks that are taken are gone, and a device without marks has no row`() throws {
        try withTable { db, table in
            for number in Int64(1)...5 { try table.add(mark(number), device: 1) }
            #expect(try table.take([7], device: 1) == [])
            #expect(try table.take([4, 2, 9], device: 1) == [mark(2), mark(4)])
            #expect(try table.marks(device: 1) == [mark(1), mark(3), mark(5)])
            #expect(try table.take([1, 3, 5], device: 1).count == 3)
            #expect(try rows(db) == 0)
            #expect(try table.take([1], device: 1) == [])
        }
    }

    @Test func `all of a device are taken at once, and no other's`() throws {
        try withTable { db, table in
            for number in Int64(1)...3 { try table.add(mark(number), device: 1) }
            try table.add(mark(1), device: 2)
            #expect(try table.takeAll(device: 1) == [mark(1), mark(2), mark(3)])
            #expect(try table.takeAll(device: 1) == [])
            #expect(try table.marks(device: 2) == [mark(1)])
            try table.add(mark(4), device: 1)
            #expect(try table.marks(device: 1) == [mark(4)])
        }
    }

    @Test func `trimming keeps the newest up to a notification, and all behind it`() throws {
        try withTable { _, table in
            for number in [5, 1, 4, 2, 3, 6, 7] as [Int64] { try table.add(mark(number), device: 1) }
            #expect(try table.trim(device: 1, upTo: 5, keeping: 7) == [])
            #expect(try table.trim(device: 1, upTo: 2, keeping: 2) == [])
            #expect(try table.trim(device: 1, upTo: 5, keeping: 2) == [mark(1), mark(2), mark(3)])
            #expect(try table.marks(device: 1).map(\.notification) == [5, 4, 6, 7])
            #expect(try table.trim(device: 2, upTo: 5, keeping: 0) == [])
        }
    }

    // MARK: Damage

    @Test func `marks that cannot be read count as none, and go, and that is told`() throws {
        let damage = DamageWatch()
        try withTable(telling: damage) { db, table in
            var damaged: Int64 = 0
            let askers: [(PushMarkTable, _ device: Int64) throws -> Int] = [
                { try $0.marks(device: $1).count }, { try $0.mark(device: $1, notification: 1) == nil ? 0 : 1 },
                { try $0.take([1], device: $1).count }, { try $0.trim(device: $1, upTo: 1, keeping: 0).count },
                { try $0.takeAll(device: $1).count },
            ]
            // The last one's collapse id is no UTF-8.
            for bytes in [[0x0F, 1], [0x80, 1], [0x00], [0x10, 1, 5, 65], [0x10, 1, 1, 0xFF]] as [[UInt8]] {
                for asker in askers {
                    damaged += 1
                    try db.execute(
                        sql: "INSERT INTO push_mark (device, marks) VALUES (?, ?)", arguments: [damaged, Data(bytes)])
                    #expect(try asker(table, damaged) == 0)
                    #expect(damage.damagedRows == Int(damaged))
                    #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM push_mark") == 0)
                }
                try table.put(mark(1), device: 1)
                #expect(try table.takeAll(device: 1).map(\.notification) == [1])
            }
        }
    }

    // MARK: Against a list

    @Test(arguments: 1...8)
    func `after any steps in any order, the rows have the same as a list`(_ seed: UInt64) throws {
        try withTable { db, table in
            var random = SeededRandom(seed: seed)
            var model: [Int64: [PushMark]] = [:]
            for step in 0..<400 {
                let (device, number) = (Int64(1 + random.next(below: 3)), Int64(random.next(below: 20)))
                let new = PushMark(
                    notification: number, provider: ProviderList.standard[random.next(below: 4)],
                    collapse: random.next(below: 2) == 0 ? nil : "id \(step)",
                    sentAt: random.next(below: 2) == 0 ? nil : .at(Int64(step)))
                var marks = model[device] ?? []
                let place = marks.firstIndex { $0.notification == number }
                switch random.next(below: 12) {
                case 0..<5 where place == nil:
                    try table.add(new, device: device)
                    marks.append(new)
                case 0..<8:
                    try table.put(new, device: device)
                    if let place {
                        let time = marks[place].sentAt ?? new.sentAt
                        marks[place] = PushMark(
                            notification: number, provider: new.provider, collapse: new.collapse, sentAt: time)
                    } else {
                        marks.append(new)
                    }
                case 8..<10:
                    let taken = Set([number, number + 1, number + 2])
                    let expected = marks.filter { taken.contains($0.notification) }
                    #expect(try table.take(taken, device: device) == expected)
                    marks.removeAll { taken.contains($0.notification) }
                case 10:
                    let old = Set(marks.map(\.notification).filter { $0 <= number }.sorted().dropLast(4))
                    let expected = marks.filter { old.contains($0.notification) }
                    #expect(try table.trim(device: device, upTo: number, keeping: 4) == expected)
                    marks.removeAll { old.contains($0.notification) }
                default:
                    #expect(try table.takeAll(device: device) == marks)
                    marks = []
                }
                model[device] = marks
                for (device, marks) in model { #expect(try table.marks(device: device) == marks) }
                #expect(try rows(db) == model.values.count { !$0.isEmpty })
            }
        }
    }
}
