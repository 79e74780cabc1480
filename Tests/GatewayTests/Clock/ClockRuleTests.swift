import Inbox
import Store
import Testing

@testable import Gateway

struct ClockRuleTests {
    /// A machine whose clocks a test sets.
    private struct Machine {
        var wall: Int64 = 1_000_000
        var running: Int64 = 5_000

        var clocks: MachineClock { MachineClock(wall: wall, running: running) }

        mutating func pass(_ milliseconds: Int64) { (wall, running) = (wall + milliseconds, running + milliseconds) }
    }

    private var machine = Machine()

    private func rule(boot: String? = "b1", last: ClockReading? = nil) -> ClockRule {
        ClockRule(machine.clocks, boot: boot, last: last)
    }

    @Test mutating func `while nothing happens the clock shows the wall clock's time`() {
        var rule = rule()
        for _ in 0..<1_000 {
            machine.pass(1_000)
            let jump = rule.look(machine.clocks)
            #expect(jump == nil)
        }
        #expect(machine.running + rule.offset == machine.wall)
    }

    @Test(arguments: [3_600_000, -3_600_000, 1_000, -1_000] as [Int64])
    mutating func `a clock that is set is followed only when all that waits has gone along`(_ step: Int64) {
        var rule = rule()
        machine.pass(1_000)
        machine.wall += step
        let before = rule.offset
        let jump = rule.look(machine.clocks)
        #expect(jump?.span == .milliseconds(step))
        #expect(jump?.cause == .set)
        #expect(jump?.now == Timestamp(milliseconds: machine.wall))
        #expect(rule.offset == before)
        if let jump { rule.followed(jump) }
        #expect(rule.reading == jump?.reading)
        machine.pass(1_000)
        let next = rule.look(machine.clocks)
        #expect(next == nil)
        #expect(machine.running + rule.offset == machine.wall)
    }

    @Test(arguments: [999, -999] as [Int64])
    mutating func `a clock that is corrected by less than a second is followed at once`(_ step: Int64) {
        var rule = rule()
        machine.pass(1_000)
        machine.wall += step
        let jump = rule.look(machine.clocks)
        #expect(jump == nil)
        #expect(machine.running + rule.offset == machine.wall)
    }

    @Test mutating func `a process that slept does not count the time, and goes on from where it stood still`() {
        var rule = rule()
        let start = machine
        machine.pass(ClockRule.longestPause)
        let running = ClockRule.time(running: machine.running, end: rule.end, offset: rule.offset)
        machine.pass(40_000 - ClockRule.longestPause)
        let standing = ClockRule.time(running: machine.running, end: rule.end, offset: rule.offset)
        #expect(running == start.wall + ClockRule.longestPause)
        #expect(standing == start.wall)
        let jump = rule.look(machine.clocks)
        #expect(machine.running + rule.offset == standing)
        #expect(jump?.span == .seconds(40))
        #expect(jump?.cause == .sleep)
        if let jump { rule.followed(jump) }
        #expect(machine.running + rule.offset == machine.wall)
    }

    @Test mutating func `a clock that was set while the process slept is no sleep`() {
        var rule = rule()
        machine.pass(10_000)
        machine.wall -= 3_600_000
        let jump = rule.look(machine.clocks)
        #expect(jump?.cause == .set)
        #expect(jump?.span == .seconds(10 - 3_600))
    }

    @Test mutating func `the next process notices a clock that was set between the two`() {
        let last = rule().reading
        machine.pass(60_000)
        machine.wall += 3_600_000
        var next = rule(last: last)
        let jump = next.look(machine.clocks)
        #expect(jump?.span == .seconds(3_600))
    }

    @Test(arguments: [.max, .min, 1 << 60, -(1 << 60), -5_001, 253_402_300_800_000] as [Int64])
    mutating func `a stored reading that would show an impossible time is left out`(_ offset: Int64) {
        var next = rule(last: ClockReading(boot: "b1", offset: offset))
        let jump = next.look(machine.clocks)
        #expect(jump == nil)
        #expect(machine.running + next.offset == machine.wall)
    }

    @Test(arguments: ["b2", nil])
    mutating func `after another start of the machine the wall clock counts`(_ boot: String?) {
        let last = rule().reading
        machine = Machine(wall: 9_000_000, running: 10)
        var next = rule(boot: boot, last: last)
        let jump = next.look(machine.clocks)
        #expect(jump == nil)
        #expect(machine.running + next.offset == machine.wall)
    }
}
