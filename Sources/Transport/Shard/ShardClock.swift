/// A shard's time for its timers: ticks since it was made, in 64 bits where an instant has 128.
struct ShardClock {
    /// A timer's resolution.
    private static let tick = Duration.milliseconds(20)
    /// Two seconds: no shard is busy for so long.
    static let ticksOfSleep: Int64 = 100
    /// Half a second, in which a shard reads ten thousand sockets.
    static let ticksToRead: Int64 = 25
    private static let attosecondsPerTick: UInt64 = 20_000_000_000_000_000

    private let epoch = ContinuousClock.now

    /// How many ticks have ended by then; before the clock was made, how many whole ones were to come, negative.
    func ticks(to instant: ContinuousClock.Instant) -> Int64 {
        let passed = (instant - epoch).attoseconds
        // At once, where its parts would be two divisions of 128 bits; ten thousand years of ticks fit.
        let (high, low) = (UInt64(passed.magnitude >> 64), UInt64(truncatingIfNeeded: passed.magnitude))
        let ticks = Self.attosecondsPerTick.dividingFullWidth((high, low)).quotient
        return passed < 0 ? -Int64(ticks) : Int64(ticks)
    }

    func instant(ofTick tick: Int64) -> ContinuousClock.Instant { epoch + Self.tick * Int(tick) }
}
