/// A table's rows in two numbers, whatever their order: equal tables have equal ones.
package struct TableSum: Hashable, Sendable {
    package private(set) var rows: Int64 = 0
    /// The sum of a hash of each row.
    package private(set) var checksum: UInt64 = 0

    package init() {}

    package mutating func add(_ row: [Cell]) {
        var hash = RowHash()
        for cell in row { hash.add(cell) }
        rows += 1
        checksum &+= hash.value
    }

    /// Sixteen hexadecimal digits.
    package var checksumText: String {
        let digits = String(checksum, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// 64 bits that differ for different rows, as far as chance allows. Not made against somebody who wants them equal.
private struct RowHash {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    mutating func add(_ cell: Cell) {
        switch cell {
        case .null: add(0)
        case .number(let number):
            add(1)
            add(UInt64(bitPattern: number))
        case .octets(let octets):
            add(2)
            add(UInt64(octets.count))
            octets.withUnsafeBytes { bytes in
                var place = 0
                while place + 8 <= bytes.count {
                    add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
                    place += 8
                }
                if place < bytes.count { add(bytes[place...].reduce(0) { $0 << 8 | UInt64($1) }) }
            }
        }
    }

    /// Each step can be undone, so that none loses a difference.
    private mutating func add(_ word: UInt64) {
        state = (state ^ word) &* 0xFF51_AFD7_ED55_8CCD
        state ^= state >> 32
    }

    /// The last steps of MurmurHash3 (fmix64): each bit decides about all others, so that sums tell rows apart.
    var value: UInt64 {
        var hash = state
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        return hash ^ hash >> 33
    }
}
