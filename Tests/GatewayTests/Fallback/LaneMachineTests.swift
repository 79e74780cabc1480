import Inbox
import Push
import Testing

@testable import Gateway

struct LaneMachineTests {
    private func machine(window: Int = 8, maximum: Int = 8) -> LaneMachine {
        var limits = LaneMachine.Limits()
        limits.initialWindow = window
        limits.maximumWindow = maximum
        return LaneMachine(limits)
    }

    /// Everything it wants done at that moment; leases are answered by the caller.
    private func actions(_ machine: inout LaneMachine, at now: Timestamp = .noon) -> [LaneMachine.Action] {
        var actions: [LaneMachine.Action] = []
        while let action = machine.next(at: now) { actions.append(action) }
        return actions
    }

    private func tickets(_ actions: [LaneMachine.Action]) -> [LaneTicket] {
        actions.compactMap { action in
            guard case .send(let ticket) = action else { return nil }
            return ticket
        }
    }

    private func leases(_ actions: [LaneMachine.Action]) -> Bool {
        actions.contains { if case .lease = $0 { true } else { false } }
    }

    @Test func `does nothing until there may be something due`() {
        var machine = machine()
        #expect(actions(&machine) == [])
        machine.expect(.noon + .seconds(5))
        #expect(actions(&machine) == [.wake(at: .noon + .seconds(5))])
        machine.expect(.noon + .seconds(9))
        #expect(actions(&machine) == [])
        machine.woke()
        #expect(actions(&machine, at: .noon + .seconds(5)) == [.lease(12)])
    }

    @Test(arguments: [3_600, -3_600])
    func `with a clock that is moved it asks the store anew, and tries again what it was to try`(_ seconds: Int) {
        var machine = machine()
        machine.expect(.noon + .seconds(5))
        machine.settleFailed(at: .noon)
        #expect(actions(&machine) == [.wake(at: .noon + .seconds(1))])
        let moved = Timestamp.noon + .seconds(seconds)
        machine.move(by: .seconds(seconds), to: moved)
        #expect(actions(&machine, at: moved) == [.wake(at: moved + .seconds(1))])
        machine.woke()
        #expect(actions(&machine, at: moved + .seconds(1)) == [.settleAgain])
        machine.settled(0, at: moved + .seconds(1))
        #expect(actions(&machine, at: moved + .seconds(2)) == [.lease(12)])
    }

    @Test func `asks once at a time, for a window and half of one ahead, and sends a window`() {
        var machine = machine()
        machine.expect(.noon)
        #expect(actions(&machine) == [.lease(12)])
        machine.expect(.noon)
        #expect(actions(&machine) == [])
        machine.leased(12, nextDue: nil, at: .noon)
        #expect(tickets(actions(&machine)).map(\.number) == Array(0..<8))
        #expect(machine.atHand == 4)
    }

    @Test func `asks for more in batches of a quarter of the window`() {
        var machine = machine()
        machine.expect(.noon)
        _ = actions(&machine)
        machine.leased(12, nextDue: nil, at: .noon)
        let sent = tickets(actions(&machine))
        machine.answered(sent[0], .works, at: .noon, jitter: 0)
        #expect(tickets(actions(&machine)).count == 1)
        machine.answered(sent[1], .works, at: .noon, jitter: 0)
        let next = actions(&machine)
        #expect(tickets(next).count == 1)
        #expect(next.last == .lease(2))
    }

    @Test func `has more at hand the next time if all was sent while the store was asked, and fewer if most was not`() {
        var machine = machine()
        var sent: [LaneTicket] = []
        var asked: [Int] = []
        func act() {
            for action in actions(&machine) {
                switch action {
                case .send(let ticket): sent.append(ticket)
                case .lease(let count): asked.append(count)
                case .release, .settleAgain, .wake: break
                }
            }
        }
        func answer(_ count: Int) {
            for _ in 0..<min(count, sent.count) {
                machine.answered(sent.removeFirst(), .works, at: .noon, jitter: 0)
                machine.settled(at: .noon)
                machine.expect(.noon)
                act()
            }
        }
        machine.expect(.noon)
        act()
        // A store so slow that all is sent and answered before it hands out more.
        for round in 0..<6 {
            machine.leased(asked[round], nextDue: nil, at: .noon)
            act()
            answer(.max)
            while !sent.isEmpty { answer(1) }
        }
        #expect(machine.atHand == 0)
        let slow = asked.max() ?? 0
        #expect(slow > 24)
        // One so quick that nothing is sent meanwhile.
        for round in 6..<30 {
            machine.leased(asked[round], nextDue: nil, at: .noon)
            act()
            while asked.count == round + 1 { answer(1) }
        }
        #expect(asked[29] <= 4)
    }

    @Test func `looks for the next job of a device shortly after one was settled, not after each`() {
        var machine = machine()
        machine.expect(.noon)
        _ = actions(&machine)
        machine.leased(3, nextDue: nil, at: .noon)
        let sent = tickets(actions(&machine))
        for ticket in sent {
            machine.answered(ticket, .works, at: .noon, jitter: 0)
            machine.settled(at: .noon)
        }
        #expect(actions(&machine) == [.wake(at: .noon + .milliseconds(10))])
        machine.woke()
        #expect(actions(&machine, at: .noon + .milliseconds(10)) == [.lease(12)])
        machine.leased(0, nextDue: nil, at: .noon + .milliseconds(10))
        #expect(actions(&machine, at: .noon + .milliseconds(10)) == [])
    }

    @Test func `a pause gives back what is at hand, and asks for nothing until it is over`() {
        var machine = machine()
        machine.expect(.noon)
        _ = actions(&machine)
        machine.leased(12, nextDue: nil, at: .noon)
        let sent = tickets(actions(&machine))
        machine.answered(sent[0], .fails(retryAfter: .seconds(15)), at: .noon, jitter: 0)
        #expect(actions(&machine) == [.release(4), .wake(at: .noon + .seconds(15))])
        machine.settled(at: .noon)
        machine.expect(.noon)
        #expect(!leases(actions(&machine, at: .noon + .seconds(14))))
        machine.woke()
        #expect(actions(&machine, at: .noon + .seconds(15)) == [.lease(1)])
        machine.leased(1, nextDue: nil, at: .noon + .seconds(15))
        let probes = actions(&machine, at: .noon + .seconds(15))
        #expect(tickets(probes).map(\.number) == [8])
        #expect(!leases(probes))
    }

    @Test func `jobs that were asked for before a pause go back when they come`() throws {
        var machine = machine(window: 2, maximum: 8)
        machine.expect(.noon)
        _ = actions(&machine)
        machine.leased(3, nextDue: nil, at: .noon)
        let sent = tickets(actions(&machine))
        machine.answered(sent[0], .works, at: .noon, jitter: 0)
        let next = actions(&machine)
        let asked = try #require(next.first { leases([$0]) })
        guard case .lease(let count) = asked else { return }
        machine.answered(sent[1], .fails(retryAfter: .seconds(5)), at: .noon, jitter: 0)
        machine.leased(count, nextDue: nil, at: .noon)
        #expect(actions(&machine).first == .release(count))
        #expect(machine.atHand == 0)
    }

    @Test func `a job that waited too long at hand goes back before its lease can end under way`() {
        var machine = machine(window: 1, maximum: 2)
        machine.expect(.noon)
        #expect(actions(&machine) == [.lease(1)])
        machine.leased(1, nextDue: nil, at: .noon)
        _ = actions(&machine)
        var wide = self.machine()
        wide.expect(.noon)
        _ = actions(&wide)
        wide.leased(12, nextDue: nil, at: .noon)
        #expect(actions(&wide).contains(.wake(at: .noon + .seconds(20))))
        wide.woke()
        #expect(actions(&wide, at: .noon + .seconds(20)).first == .release(4))
    }

    @Test func `does not have more at hand for jobs that went back because nothing was answered`() {
        var machine = machine()
        machine.expect(.noon)
        #expect(actions(&machine) == [.lease(12)])
        machine.leased(12, nextDue: .noon, at: .noon)
        #expect(tickets(actions(&machine)).count == 8)
        var now = Timestamp.noon
        for _ in 0..<4 {
            now = now + .seconds(20)
            machine.woke()
            let actions = actions(&machine, at: now)
            #expect(actions.contains(.release(4)))
            #expect(actions.contains(.lease(4)))
            machine.leased(4, nextDue: now, at: now)
        }
    }

    @Test func `a store that fails is asked again a second later`() {
        var machine = machine()
        machine.expect(.noon)
        _ = actions(&machine)
        machine.leaseFailed(at: .noon)
        #expect(actions(&machine) == [.wake(at: .noon + .seconds(1))])
        machine.woke()
        #expect(actions(&machine, at: .noon + .seconds(1)) == [.lease(12)])
    }

    @Test func `an outcome that the store did not take is told to it again a second later`() {
        var machine = machine()
        machine.expect(.noon)
        _ = actions(&machine)
        machine.leased(1, nextDue: nil, at: .noon)
        let sent = tickets(actions(&machine))
        machine.answered(sent[0], .works, at: .noon, jitter: 0)
        machine.settleFailed(at: .noon)
        #expect(actions(&machine) == [.wake(at: .noon + .seconds(1))])
        machine.woke()
        #expect(actions(&machine, at: .noon + .seconds(1)).first == .settleAgain)
    }

    @Test func `nothing is leased while the store does not take outcomes in, for it might be the same job`() {
        var machine = machine()
        machine.expect(.noon)
        _ = actions(&machine)
        machine.leased(1, nextDue: nil, at: .noon)
        let sent = tickets(actions(&machine))
        machine.answered(sent[0], .works, at: .noon, jitter: 0)
        machine.settleFailed(at: .noon)
        machine.expect(.noon)
        #expect(!leases(actions(&machine)))
        machine.woke()
        #expect(!leases(actions(&machine, at: .noon + .seconds(90))))
        machine.settled(at: .noon + .seconds(91))
        #expect(leases(actions(&machine, at: .noon + .seconds(91))))
    }

    @Test func `a store that takes no outcomes gets no more jobs out of it`() {
        var machine = machine()
        var now = Timestamp.noon
        machine.expect(now)
        for _ in 0..<1_000 {
            for action in actions(&machine, at: now) {
                switch action {
                case .lease(let count): machine.leased(count, nextDue: nil, at: now)
                case .send(let ticket): machine.answered(ticket, .works, at: now, jitter: 0)
                case .release, .settleAgain, .wake: break
                }
            }
            now = now + .milliseconds(1)
        }
        #expect((64...120).contains(machine.settling))
    }

    @Test func `after the stop it begins nothing`() {
        var machine = machine()
        machine.expect(.noon)
        _ = actions(&machine)
        machine.stop()
        machine.leased(12, nextDue: .noon, at: .noon)
        machine.expect(.noon)
        #expect(actions(&machine) == [])
    }
}
