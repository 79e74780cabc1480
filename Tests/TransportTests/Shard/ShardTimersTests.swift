import Testing

@testable import Transport

@Suite struct ShardTimersTests {
    private let clock = ShardClock()

    private func target() -> (TimerTarget, ObjectIdentifier) {
        let callback = TimerTarget.Callback { _ in }
        return (.callback(callback), ObjectIdentifier(callback))
    }

    /// The due targets, by their callbacks; nil before the alarm.
    private func take(from timers: inout ShardTimers, at now: ContinuousClock.Instant) -> [ObjectIdentifier]? {
        timers.takeDue(at: now)?.targets.map { target in
            switch target {
            case .connection(let connection): ObjectIdentifier(connection)
            case .callback(let callback): ObjectIdentifier(callback)
            }
        }
    }

    @Test func `the alarm is the instant of the next timer's tick, and nothing is due before`() {
        var timers = ShardTimers(clock: clock)
        #expect(timers.alarm == nil && timers.takeDue(at: .now + .seconds(1_000)) == nil)
        let ((late, lateID), (early, earlyID)) = (target(), target())
        #expect(timers.isNext(9))
        let lateTimer = timers.schedule(late, atTick: 9)
        #expect(timers.isNext(8) && !timers.isNext(9))
        let earlyTimer = timers.schedule(early, atTick: 5)
        #expect(!timers.isNext(6) && timers.alarm == clock.instant(ofTick: 5))
        #expect(timers.tick(of: lateTimer) == 9 && timers.tick(of: earlyTimer) == 5)

        #expect(take(from: &timers, at: clock.instant(ofTick: 5) - .nanoseconds(1)) == nil)
        #expect(take(from: &timers, at: clock.instant(ofTick: 5)) == [earlyID])
        timers.arm()
        #expect(timers.tick(of: earlyTimer) == nil && timers.alarm == clock.instant(ofTick: 9))
        #expect(take(from: &timers, at: clock.instant(ofTick: 9)) == [lateID])
        timers.arm()
        #expect(timers.alarm == nil && take(from: &timers, at: clock.instant(ofTick: 10)) == nil)
    }

    @Test func `a later timer leaves the alarm where it is, and so does the end of one`() {
        var timers = ShardTimers(clock: clock)
        let ((first, _), (second, secondID)) = (target(), target())
        let firstTimer = timers.schedule(first, atTick: 3)
        _ = timers.schedule(second, atTick: 7)
        timers.cancel(firstTimer)
        #expect(timers.tick(of: firstTimer) == nil && timers.alarm == clock.instant(ofTick: 3))
        // It calls for nothing, and then for the one that is left.
        #expect(take(from: &timers, at: clock.instant(ofTick: 3)) == [])
        timers.arm()
        #expect(timers.alarm == clock.instant(ofTick: 7))
        #expect(take(from: &timers, at: clock.instant(ofTick: 7)) == [secondID])
    }

    @Test func `a late caller is told which tick it is and gets all that is due`() {
        var timers = ShardTimers(clock: clock)
        for tick in [2, 4, 6] as [Int64] { _ = timers.schedule(target().0, atTick: tick) }
        let due = timers.takeDue(at: clock.instant(ofTick: 6) - .nanoseconds(1))
        #expect(due?.tick == 5 && due?.targets.count == 2)
        timers.arm()
        #expect(timers.alarm == clock.instant(ofTick: 6))
    }

    @Test func `timers that were due while the process slept wait once more, until sockets were read`() {
        var timers = ShardTimers(clock: clock)
        let (slept, sleptID) = target()
        _ = timers.schedule(slept, atTick: 5)
        let woken = 5 + ShardClock.ticksOfSleep
        #expect(take(from: &timers, at: clock.instant(ofTick: woken)) == nil)
        #expect(timers.alarm == clock.instant(ofTick: woken + ShardClock.ticksToRead) && timers.hasWaited)
        #expect(take(from: &timers, at: clock.instant(ofTick: woken + 1)) == nil)
        // Also where that is very late itself: it does not wait for ever.
        #expect(take(from: &timers, at: clock.instant(ofTick: woken * 9)) == [sleptID])
        timers.arm()
        #expect(timers.alarm == nil && !timers.hasWaited)
    }

    @Test func `a timer that is a little late is called at once`() {
        var timers = ShardTimers(clock: clock)
        let (late, lateID) = target()
        _ = timers.schedule(late, atTick: 5)
        #expect(take(from: &timers, at: clock.instant(ofTick: 4 + ShardClock.ticksOfSleep)) == [lateID])
    }
}
