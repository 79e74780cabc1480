/// A shard's timers, and when its poller is to call for the next of them.
struct ShardTimers {
    private let clock: ShardClock
    private var wheel = TimingWheel<TimerTarget>()
    /// The tick for which the poller's timer is set. Not its instant, whose layout is another module's business: to
    /// move one takes the runtime some hundred instructions, and each turn asks.
    private var armed: Int64?
    /// Whether what was due while the process slept is called the next time.
    private(set) var hasWaited = false

    init(clock: ShardClock) { self.clock = clock }

    /// When the poller is to call; nil for never.
    var alarm: ContinuousClock.Instant? { armed.map { clock.instant(ofTick: $0) } }

    /// When a timer is to fire; nil once it has fired or was cancelled.
    func tick(of timer: TimingWheel<TimerTarget>.Timer) -> Int64? { wheel.tick(of: timer) }

    /// Whether a timer at this tick would be the next one: ``alarm`` changes with it.
    func isNext(_ tick: Int64) -> Bool { armed.map { tick < $0 } ?? true }

    mutating func schedule(_ target: TimerTarget, atTick tick: Int64) -> TimingWheel<TimerTarget>.Timer {
        if isNext(tick) { armed = tick }
        return wheel.schedule(target, at: tick)
    }

    mutating func cancel(_ timer: TimingWheel<TimerTarget>.Timer) { wheel.cancel(timer) }

    /// Takes out what is due, and says which tick it is; nil before ``alarm``. Whoever asks calls them, and then
    /// ``arm()``.
    ///
    /// A timer that is very late tells that the process slept: it was stopped, or its machine was. What peers sent
    /// meanwhile lies in the sockets, so all that is due waits once until those were read: ``alarm`` is later then.
    mutating func takeDue(at now: ContinuousClock.Instant) -> (tick: Int64, targets: [TimerTarget])? {
        guard let armed else { return nil }
        let tick = clock.ticks(to: now)
        guard armed <= tick else { return nil }
        if !hasWaited, tick - armed >= ShardClock.ticksOfSleep {
            hasWaited = true
            self.armed = tick + ShardClock.ticksToRead
            return nil
        }
        hasWaited = false
        return (tick, wheel.advance(to: tick))
    }

    /// Sets ``alarm`` for what is left.
    mutating func arm() { armed = wheel.nextTick }
}
