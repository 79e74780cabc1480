/// A shard's timers, and the time for the next call by the poller.
struct ShardTimers {
    private let clock: ShardClock
    private var wheel = TimingWheel<TimerTarget>()
    /// The tick that the poller's timer is set to. Not its instant, whose layout is unknown here: moving one takes the
    /// runtime some hundred instructions, and each turn reads it.
    private var armed: Int64?
    /// Whether the timers that came due while the process slept fire at the next call.
    private(set) var hasWaited = false

    init(clock: ShardClock) { self.clock = clock }

    /// The time of the poller's next call; nil for never.
    var alarm: ContinuousClock.Instant? { armed.map { clock.instant(ofTick: $0) } }

    /// The tick of a timer; nil after it has fired or was cancelled.
    func tick(of timer: TimingWheel<TimerTarget>.Timer) -> Int64? { wheel.tick(of: timer) }

    /// Whether a timer at this tick would be the next one, which changes ``alarm``.
    func isNext(_ tick: Int64) -> Bool { armed.map { tick < $0 } ?? true }

    mutating func schedule(_ target: TimerTarget, atTick tick: Int64) -> TimingWheel<TimerTarget>.Timer {
        if isNext(tick) { armed = tick }
        return wheel.schedule(target, at: tick)
    }

    mutating func cancel(_ timer: TimingWheel<TimerTarget>.Timer) { wheel.cancel(timer) }

    /// Removes the due timers and returns them with the current tick; nil before ``alarm``. The caller must call the
    /// targets, then ``arm()``.
    ///
    /// A timer that is very late shows that the process or its machine was stopped. The peers' input of that time lies
    /// in the sockets, so all due timers wait once until it was read: ``alarm`` is later then.
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

    /// Sets ``alarm`` for the remaining timers.
    mutating func arm() { armed = wheel.nextTick }
}
