import Testing

@testable import Storage

struct LogReliefTests {
    private let now = ContinuousClock.now
    private var relief = LogRelief(pause: .seconds(5))

    @Test func `the first commit without room has the log copied`() { #expect(relief.isDue(at: now)) }

    @Test(arguments: [false, true])
    mutating func `what did not help is not tried again for a while`(_ isEmptied: Bool) {
        relief.tried(isEmptied: isEmptied, at: now)
        #expect(!relief.isDue(at: now + relief.pause - .milliseconds(1)))
        #expect(relief.isDue(at: now + relief.pause))
    }

    @Test mutating func `what has helped may be tried again at once`() {
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
        (0, 1_000), (20 * megabyte, 1_280), (100 * megabyte, 6_400), (1_000 * megabyte, 16_000), (.max, 16_000),
    ])
    func `a log takes a quarter of the room, but from 4 to 64 MB`(_ room: Int64, _ pages: Int) {
        #expect(LogLength(room: room).pages == pages)
    }
}
