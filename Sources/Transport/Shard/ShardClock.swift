/// A shard's time for its timers: ticks since the clock was made. A tick has 64 bits, an instant 128.
struct ShardClock {
    /// A timer's resolution.
    private static let tick = Duration.milliseconds(20)
    /// Two seconds: a shard is never busy for that long.
    static let ticksOfSleep: Int64 = 100
    /// Half a second, enough for a shard to read ten thousand sockets.
    static let ticksToRead: Int64 = 25
    private static let attosecondsPerTick: UInt64 = 20_000_000_000_000_000

    private let epoch: ContinuousClock.Instant

    init(from epoch: ContinuousClock.Instant = .now) { self.epoch = epoch }

    /// The number of ticks that have ended at `instant`; negative for an instant before the clock was made.
    func ticks(to instant: ContinuousClock.Instant) -> Int64 {
        let passed = (instant - epoch).attoseconds
        // One division instead of two divisions of 128 bits; ten thousand years of ticks fit.
        let (high, low) = (UInt64(passed.magnitude >> 64), UInt64(truncatingIfNeeded: passed.magnitude))
        let ticks = Self.attosecondsPerTick.dividingFullWidth((high, low)).quotient
        return passed < 0 ? -Int64(ticks) : Int64(ticks)
    }

    func instant(ofTick tick: Int64) -> ContinuousClock.Instant { epoch + Self.tick * Int(tick) }
}
