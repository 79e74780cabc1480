import Testing

@testable import SQLiteStore
@testable import Store

struct LogCopyingTests {
    private static let usual = 16_000
    private static let middling = (LogCopying.quick + LogCopying.slow) / 2
    private var copying = LogCopying(LogLength(room: .max, longest: 64_000))

    /// A log of the length that it may have is copied, and begins at its start again.
    private mutating func copy(took: Duration) {
        copying.copied(frames: copying.length, took: took)
        _ = copying.isDue(frames: 1)
    }

    /// With how many frames the log is copied next, if each commit adds one.
    private mutating func next(after frames: Int) -> Int? {
        for frames in frames...200_000 where copying.isDue(frames: frames) { return frames }
        return nil
    }

    @Test mutating func `a log is left alone until it is long`() {
        let first = next(after: 0)
        #expect(first == Self.usual)
    }

    @Test mutating func `one that begins at its start again is left alone until it is long again`() {
        copying.copied(frames: Self.usual + 50, took: Self.middling)
        let second = next(after: 1)
        #expect(second == Self.usual)
    }

    @Test(arguments: [(nil, 4), (LogCopying.quick, 16)])
    mutating func `one that goes on, as somebody reads an older state, is not copied with each commit`(
        _ took: Duration?, _ share: Int
    ) {
        copying.copied(frames: Self.usual, took: took)
        let second = next(after: Self.usual + 1)
        #expect(second == Self.usual + Self.usual / share)
    }

    @Test(arguments: [.zero, LogCopying.slow * 2])
    mutating func `how long the rest of one took that goes on tells nothing`(_ took: Duration) {
        copying.copied(frames: Self.usual, took: nil)
        copying.copied(frames: Self.usual * 2, took: took)
        #expect(copying.length == Self.usual)
    }

    @Test mutating func `quick copying lets it become twice as long, slow copying half, each within bounds`() {
        var lengths: [Int] = []
        for _ in 0..<3 {
            copy(took: LogCopying.quick - .milliseconds(1))
            lengths.append(copying.length)
        }
        for _ in 0..<5 {
            copy(took: LogCopying.slow + .milliseconds(1))
            lengths.append(copying.length)
        }
        #expect(lengths == [32_000, 64_000, 64_000, 32_000, 16_000, 8_000, 4_000, 4_000])
    }

    @Test(arguments: [nil, middling])
    mutating func `copying that was neither, or did not copy all, changes nothing`(_ took: Duration?) {
        copying.copied(frames: Self.usual, took: took)
        #expect(copying.length == Self.usual)
    }

    @Test mutating func `on a small disk it stays as short as suits the room`() {
        copying = LogCopying(LogLength(room: 0, longest: 64_000))
        copy(took: .zero)
        copy(took: .seconds(1))
        #expect(copying.length == 1_000)
    }
}
