import GRDB
import Inbox
import Testing

@testable import SQLiteStore
@testable import Store

struct CheckedRowTests {
    private func read<Value>(_ sql: String, _ body: (inout CheckedRow) -> Value) throws -> (Value, isDamaged: Bool) {
        try DatabaseQueue().read { db in
            let found = try db.statement(sql: "SELECT \(sql)").first([]) { row in
                var row = CheckedRow(row)
                let value = body(&row)
                return (value, isDamaged: row.isDamaged)
            }
            return try #require(found)
        }
    }

    @Test(arguments: [
        ("0", 0, false), ("7", 7, false), ("9007199254740992", 1 << 53, false), ("-1", 0, true),
        ("9223372036854775807", 1 << 53, true), ("'7'", 0, true), ("NULL", 0, true), ("1.5", 0, true),
    ])
    func `a count is no less than nothing, and far from where sums overflow`(
        _ sql: String, _ count: Int64, _ isDamaged: Bool
    ) throws {
        #expect(try read(sql) { $0.count(0) } == (count, isDamaged))
    }

    @Test(arguments: [("0", false, false), ("1", true, false), ("2", true, true), ("x'01'", false, true)])
    func `a flag is one of two numbers`(_ sql: String, _ flag: Bool, _ isDamaged: Bool) throws {
        #expect(try read(sql) { $0.flag(0) } == (flag, isDamaged))
    }

    @Test(arguments: [
        ("-5", -5, false), ("-9223372036854775808", -(1 << 53), true), ("NULL", 0, true),
    ])
    func `a time may be before 1970, and is one that can be reckoned with`(
        _ sql: String, _ milliseconds: Int64, _ isDamaged: Bool
    ) throws {
        #expect(try read(sql) { $0.time(0).milliseconds } == (milliseconds, isDamaged))
    }

    @Test(arguments: [
        ("'kör'", "kör", false), ("CAST(x'6BFF72' AS TEXT)", "k\u{FFFD}r", true), ("''", "", false), ("7", "", true),
        ("NULL", "", true),
    ])
    func `a text is UTF-8, whatever the file holds`(_ sql: String, _ text: String, _ isDamaged: Bool) throws {
        #expect(try read(sql) { $0.text(0) } == (text, isDamaged))
    }

    @Test func `NULL is no damage where it may stand`() throws {
        #expect(try read("NULL") { $0.optionalText(0) } == (nil, false))
        #expect(try read("NULL") { $0.optionalCount(0) } == (nil, false))
        #expect(try read("NULL") { $0.optionalTime(0) } == (nil, false))
        #expect(try read("NULL") { $0.optionalBytes(0) } == (nil, false))
        #expect(try read("'text'") { $0.optionalBytes(0) } == (nil, true))
    }
}

struct DamageWatchTests {
    @Test func `each row is told once, and counted up to a limit`() {
        let told = Told()
        let watch = DamageWatch(reportRow: told.add)
        for number in 0..<3 { watch.leaveOut(DamagedRow(table: "content", key: "\(number % 2)")) }
        #expect(told.rows == [DamagedRow(table: "content", key: "0"), DamagedRow(table: "content", key: "1")])
        #expect(watch.damagedRows == 2)
        for number in 0..<(DamageWatch.mostRows * 2) { watch.leaveOut(DamagedRow(table: "device", key: "\(number)")) }
        #expect(watch.damagedRows == DamageWatch.mostRows)
        #expect(told.rows.count == DamageWatch.mostRows)
    }

    @Test func `a damaged row ends no writing`() {
        let watch = DamageWatch()
        #expect(watch.judged(DamagedColumn()).isOfOneRow)
        #expect(!watch.isDamaged)
        #expect(watch.damagedRows == 1)
    }
}
