/// A shard's time for its timers: ticks since it was made, in 64 bits where an instant has 128.
struct ShardClock {
    /// A timer's resolution.
    private static let tick = Duration.milliseconds(20)
    private static let attosecondsPerTick: Int64 = 20_000_000_000_000_000

    private let epoch = ContinuousClock.now

    /// How many ticks have ended by then.
    func ticks(to instant: ContinuousClock.Instant) -> Int64 {
        let passed = (instant - epoch).components
        return passed.seconds * (1_000_000_000_000_000_000 / Self.attosecondsPerTick)
            + passed.attoseconds / Self.attosecondsPerTick
    }

    func instant(ofTick tick: Int64) -> ContinuousClock.Instant { epoch + Self.tick * Int(tick) }
}
