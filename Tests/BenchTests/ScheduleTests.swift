import Testing

@testable import Bench

struct ScheduleTests {
    private static let millisecond: Int64 = 1_000_000

    @Test func `gives each publication its own moment, and none before it`() {
        var schedule = Schedule(rate: 1_000, start: 0, end: 5 * Self.millisecond)
        #expect(schedule.take(at: -1) == nil)
        #expect(schedule.take(at: 0) == 0)
        #expect(schedule.take(at: 0) == nil)
        #expect(schedule.nextDue(at: 0) == Self.millisecond)
        // Late: the moments stay what they were.
        let late = 10 * Self.millisecond
        #expect((1...4).map { _ in schedule.take(at: late) } == (1...4).map { $0 * Self.millisecond })
        #expect(schedule.take(at: late) == nil)
        #expect(schedule.isOver(at: late))
    }

    @Test func `tells how many wait, and that none comes behind an early end`() {
        var schedule = Schedule(rate: 1_000, start: 0, end: 100 * Self.millisecond)
        #expect(schedule.waiting(at: -1) == 0)
        #expect(schedule.waiting(at: 0) == 1)
        #expect(schedule.take(at: 0) == 0)
        #expect(schedule.waiting(at: 9 * Self.millisecond) == 9)
        schedule.finish(at: 5 * Self.millisecond)
        #expect(schedule.waiting(at: 9 * Self.millisecond) == 4)
        #expect(schedule.waitingMoments(at: 9 * Self.millisecond) == (1...4).map { $0 * Self.millisecond })
        #expect((1...4).allSatisfy { _ in schedule.take(at: 9 * Self.millisecond) != nil })
        #expect(schedule.isOver(at: 9 * Self.millisecond))
        #expect(schedule.waiting(at: .max) == 0)
    }

    @Test func `without a rate one is due whenever it is asked, until the end`() {
        var schedule = Schedule(rate: nil, start: 10, end: 20)
        #expect(schedule.take(at: 5) == nil)
        #expect([10, 10, 15].map { schedule.take(at: $0) } == [10, 10, 15])
        #expect(schedule.take(at: 20) == nil)
        #expect(schedule.waitingMoments(at: 20) == [])
    }

    @Test func `drifts by nothing over a million publications`() {
        var schedule = Schedule(rate: 300, start: 7, end: .max)
        var last: Int64?
        for _ in 0...1_000_000 { last = schedule.take(at: .max - 1) }
        let expected: Int64 = 3_333_333_333_340
        #expect(last == expected)
    }

    /// A server answers each of 1,000 publications a second in 0.1 ms, and once stands still for a second, with nobody
    /// who asks it meanwhile. Half of the two seconds was bad, and so the median must show it; who counts from the
    /// sending sees one slow answer of a thousand.
    @Test func `tells of a standstill in the percentiles, where counting from the sending does not`() {
        var schedule = Schedule(rate: 1_000, start: 0, end: 2_000 * Self.millisecond)
        var (fromSchedule, fromSending) = (Latencies(), Latencies())
        var now: Int64 = 0
        var hasStoodStill = false
        while !schedule.isOver(at: now) {
            guard let due = schedule.take(at: now) else {
                now = schedule.nextDue(at: now) ?? now
                continue
            }
            let sent = now
            let isStandstill = !hasStoodStill && due >= 500 * Self.millisecond
            hasStoodStill = hasStoodStill || isStandstill
            now += isStandstill ? 1_000 * Self.millisecond : Self.millisecond / 10
            fromSchedule.record(now - due)
            fromSending.record(now - sent)
        }
        #expect(fromSending.value(atPercentile: 99) < Self.millisecond)
        #expect(fromSchedule.value(atPercentile: 90) > 500 * Self.millisecond)
        #expect(fromSchedule.value(atPercentile: 50) > 10 * Self.millisecond)
        #expect(fromSchedule.count == 2_000)
    }
}
