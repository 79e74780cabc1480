import Support
import Testing

@testable import SQLiteStore
@testable import Store

/// The last bytes, within a limit.
struct ByteRingTests {
    @Test func `written bytes are found, until they are the oldest of too many`() {
        var ring = ByteRing(maximumBytes: 800)
        var written: [(position: ByteRing.Position, byte: UInt8)] = []
        for byte in UInt8(1)...200 { written.append((Self.write(byte, 10, to: &ring), byte)) }
        #expect(written.allSatisfy { $0.position != .none })
        let found = written.filter { ring.bytes(from: $0.position) != nil }
        // Ten pieces a segment, and eight segments; the last one is full.
        #expect(found.map(\.byte) == Array(121...200))
        for (position, byte) in found {
            #expect(ring.bytes(from: position)?.prefix(10).allSatisfy { $0 == byte } == true)
        }
        for (position, _) in written { #expect(ring.has(position) == (ring.bytes(from: position) != nil)) }
    }

    @Test func `no two positions are the same, however often the segments are used again`() {
        var ring = ByteRing(maximumBytes: 80)
        let positions = (0..<1_000).map { Self.write(UInt8($0 % 256), 1 + $0 % 10, to: &ring) }
        #expect(Set(positions).count == positions.count)
        #expect(positions.map(\.number) == positions.map(\.number).sorted())
    }

    @Test func `a piece that would not fit into a segment is not written, and nothing at all where there is no room`() {
        var ring = ByteRing(maximumBytes: 800)
        #expect(Self.write(1, 101, to: &ring) == .none)
        #expect(Self.write(1, 100, to: &ring) != .none)
        for limit in [0, 7] {
            var small = ByteRing(maximumBytes: limit)
            #expect(Self.write(1, 1, to: &small) == .none)
            #expect(small.bytes(from: .none) == nil)
            #expect(!small.has(ByteRing.Position(number: 1)))
        }
    }

    @Test func `where nothing was written nothing is found`() {
        var ring = ByteRing(maximumBytes: 800)
        #expect(ring.bytes(from: .none) == nil)
        let position = Self.write(1, 10, to: &ring)
        for number in [0, 1, 99, position.number + 10, position.number + 100, 1 << 40, UInt64.max] {
            #expect(ring.bytes(from: ByteRing.Position(number: number)) == nil, "\(number)")
        }
    }

    @Test func `memory is taken as it is needed, and no more of it than the limit`() {
        var ring = ByteRing(maximumBytes: 8 << 20)
        #expect(allocatedBytes(of: ring) == 0)
        _ = Self.write(1, 10, to: &ring)
        #expect(allocatedBytes(of: ring) < 300_000)
        for _ in 0..<100_000 { _ = Self.write(1, 500, to: &ring) }
        // And what malloc rounds up to.
        #expect(((8 << 20)..<(9 << 20)).contains(allocatedBytes(of: ring)))
    }

    @Test func `pieces that count are counted for as long as they are there`() {
        var ring = ByteRing(maximumBytes: 800)
        #expect((ring.count, ring.allocatedBytes) == (0, 0))
        var counted: [ByteRing.Position] = []
        for byte in UInt8(1)...200 {
            let isCounted = byte % 3 == 0
            let position = Self.write(byte, 10, to: &ring, counts: isCounted)
            if isCounted { counted.append(position) }
            #expect(ring.count == counted.count { ring.has($0) })
        }
        #expect(Self.write(1, 101, to: &ring, counts: true) == .none)
        #expect(ring.count == counted.count { ring.has($0) })
        #expect(ring.count < counted.count)
        #expect(ring.allocatedBytes == 800)
    }

    private static func write(_ byte: UInt8, _ count: Int, to ring: inout ByteRing, counts isCounted: Bool = false)
        -> ByteRing.Position
    {
        ring.append(maximumBytes: count, counts: isCounted) { _, room in
            for _ in 0..<count { room.append(byte) }
        }
    }

    private func allocatedBytes(of ring: ByteRing) -> Int { ring.segments.reduce(0) { $0 + $1.capacity } }
}
