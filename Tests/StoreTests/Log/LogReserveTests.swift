import Testing

@testable import SQLiteStore
@testable import Store

struct LogReserveTests {
    private static let step = LogReserve.stepBytes
    private static let much: Int64 = 64 << 20

    /// A reserve whose file has been filled up to `bytes`.
    private static func filled(to bytes: Int64) -> LogReserve {
        var reserve = LogReserve()
        reserve.reaches(bytes)
        return reserve
    }

    @Test func `a write at the file's end has a step of zeros put behind it`() {
        var reserve = LogReserve()
        #expect(reserve.wrote(to: 5_000, measured: { 5_000 }, most: { Self.much }) == 5_000..<(5_000 + Self.step))
    }

    @Test func `nothing is asked and nothing is filled while writes stay within what is there`() {
        var reserve = Self.filled(to: 10_000)
        for end in [32, 4_152, 10_000] as [Int64] {
            let zeros = reserve.wrote(
                to: end,
                measured: {
                    Issue.record("measured")
                    return nil
                },
                most: {
                    Issue.record("asked")
                    return 0
                })
            #expect(zeros == nil)
        }
        #expect(reserve.wrote(to: 10_001, measured: { nil }, most: { Self.much }) == 10_001..<(10_001 + Self.step))
    }

    @Test func `no zeros go into a file that is longer than what is known of it`() {
        var reserve = LogReserve()
        #expect(reserve.wrote(to: 32, measured: { 900_000 }, most: { Self.much }) == nil)
        #expect(reserve.wrote(to: 900_000, measured: { nil }, most: { Self.much }) == nil)
        #expect(reserve.wrote(to: 904_120, measured: { nil }, most: { Self.much }) == 904_120..<(904_120 + Self.step))
    }

    @Test func `a file whose length cannot be told is left alone`() {
        var reserve = LogReserve()
        #expect(reserve.wrote(to: 5_000, measured: { nil }, most: { Self.much }) == nil)
        #expect(reserve.wrote(to: 9_000, measured: { 9_000 }, most: { Self.much }) != nil)
    }

    @Test func `the file is brought no further than it may be`() {
        var reserve = Self.filled(to: 0)
        #expect(reserve.wrote(to: 5_000, measured: { nil }, most: { 6_000 }) == 5_000..<6_000)
        reserve.reaches(6_000)
        #expect(reserve.wrote(to: 7_000, measured: { nil }, most: { 6_000 }) == nil)
        #expect(reserve.wrote(to: 8_000, measured: { nil }, most: { 6_000 }) == nil)
    }

    @Test func `zeros that found no room are tried again once the file is shorter`() {
        var reserve = Self.filled(to: 0)
        #expect(reserve.wrote(to: 5_000, measured: { nil }, most: { Self.much }) != nil)
        reserve.refused()
        #expect(reserve.wrote(to: 9_000, measured: { nil }, most: { Self.much }) == nil)
        reserve.reaches(0)
        #expect(reserve.wrote(to: 32, measured: { nil }, most: { Self.much }) == 32..<(32 + Self.step))
    }

    @Test(arguments: [(Int64(0), Int64(0)), (40 << 20, 10 << 20), (.max, 262_144_000)])
    func `a small disk is not filled for the log's sake`(room: Int64, most: Int64) {
        #expect(LogLength.mostReserved(room: room) == most)
    }
}
