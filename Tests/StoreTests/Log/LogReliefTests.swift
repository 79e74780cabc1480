import Testing

@testable import SQLiteStore
@testable import Store

struct LogReliefTests {
    private let now = ContinuousClock.now
    private var relief = LogRelief(pause: .seconds(5))

    @Test func `the first commit without room has the log copied`() { #expect(relief.isDue(at: now)) }

    @Test(arguments: [false, true])
    mutating func `a try that did not help is not repeated for a while`(_ isEmptied: Bool) {
        relief.tried(isEmptied: isEmptied, at: now)
        #expect(!relief.isDue(at: now + relief.pause - .milliseconds(1)))
        #expect(relief.isDue(at: now + relief.pause))
    }

    @Test mutating func `a try that has helped may be repeated at once`() {
        relief.tried(isEmptied: true, at: now)
        relief.committed()
        #expect(relief.isDue(at: now))
    }

    @Test mutating func `a log that could not be emptied waits, whatever fits in meanwhile`() {
        relief.tried(isEmptied: false, at: now)
        relief.committed()
        #expect(!relief.isDue(at: now))
    }
}

struct LogLengthTests {
    private static let megabyte: Int64 = 1 << 20

    @Test(arguments: [
        (0, 1_000...1_000, 1_000), (20 * megabyte, 1_280...1_280, 1_280), (100 * megabyte, 4_000...6_400, 6_400),
        (500 * megabyte, 4_000...32_000, 16_000), (.max, 4_000...64_000, 16_000),
    ])
    func `a log takes a quarter of the room at most, but from 4 to 256 MB, and begins with up to 64`(
        _ room: Int64, _ pages: ClosedRange<Int>, _ usual: Int
    ) {
        let length = LogLength(room: room, longest: 64_000)
        #expect(length.pages == pages)
        #expect(length.usual == usual)
    }
}
