import Migration
import Support
import Testing

struct MigrationPartTests {
    @Test func `a key is read as it was written, and nothing else is a key`() {
        let keys: [[Cell]] = [
            [], [.null], [.number(.min), .number(-1)], [.octets([]), .octets([0, 255, 7]), .number(7)],
        ]
        for key in keys {
            let bytes = key.encoded
            #expect([Cell](encoded: bytes) == key)
            for count in 0..<bytes.count { #expect([Cell](encoded: Array(bytes[..<count])) != key) }
        }
        for bytes: [UInt8] in [[3], [1, 0], [2, 0, 0, 0, 0, 0, 0, 0, 2, 9], [2, 255, 0, 0, 0, 0, 0, 0, 0]] {
            #expect([Cell](encoded: bytes) == nil)
        }
    }

    @Test func `sums are the same in any order, and differ with each value, type and place of a row`() {
        let rows: [[Cell]] = [
            [.null, .number(0)], [.number(0), .null], [.number(1), .number(0)], [.octets([]), .number(0)],
            [.octets([0]), .number(0)], [.octets([0, 0]), .number(0)],
            [.octets(Array(repeating: 0, count: 8)), .number(0)],
            [.octets(Array(repeating: 0, count: 9)), .number(0)], [.number(0), .number(1)],
        ]
        func sum(_ rows: [[Cell]]) -> TableSum {
            var sum = TableSum()
            for row in rows { sum.add(row) }
            return sum
        }
        #expect(sum(rows) == sum(rows.reversed()))
        #expect(Set(rows.map { sum([$0]).checksum }).count == rows.count)
        for place in rows.indices {
            var other = rows
            other[place] = [.number(42), .number(42)]
            #expect(sum(other) != sum(rows) && sum(other).rows == sum(rows).rows)
        }
        #expect(TableSum().checksumText == "0000000000000000")
    }
}
