import Testing

@testable import Gateway

struct LaneAlarmTests {
    private let start = SuspendingClock.now

    private func isSet(_ alarm: inout LaneAlarm, for delay: Duration, after elapsed: Duration = .zero) -> Bool {
        alarm.isToBeSet(for: delay, at: start + elapsed)
    }

    @Test func `it is set once for what is wanted again, and for what is wanted later`() {
        var alarm = LaneAlarm()
        #expect(isSet(&alarm, for: .seconds(5)))
        #expect(!isSet(&alarm, for: .seconds(4), after: .seconds(1)))
        #expect(!isSet(&alarm, for: .seconds(60), after: .seconds(2)))
    }

    @Test func `it is set anew for what is wanted earlier`() {
        var alarm = LaneAlarm()
        #expect(isSet(&alarm, for: .seconds(60)))
        #expect(isSet(&alarm, for: .milliseconds(5)))
        #expect(!isSet(&alarm, for: .milliseconds(5)))
    }

    @Test func `a time that is told in whole milliseconds sets it once`() {
        var alarm = LaneAlarm()
        #expect(isSet(&alarm, for: .milliseconds(50), after: .microseconds(900)))
        #expect(!isSet(&alarm, for: .milliseconds(49), after: .microseconds(1_000)))
    }

    @Test func `it is set for what is wanted after its call`() {
        var alarm = LaneAlarm()
        #expect(isSet(&alarm, for: .seconds(5)))
        alarm.called()
        #expect(isSet(&alarm, for: .seconds(60), after: .seconds(5)))
    }

    @Test func `a call that is late is waited for`() {
        var alarm = LaneAlarm()
        #expect(isSet(&alarm, for: .seconds(5)))
        #expect(!isSet(&alarm, for: .zero, after: .seconds(6)))
    }
}
