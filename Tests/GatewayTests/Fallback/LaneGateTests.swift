import Inbox
import Push
import Testing

@testable import Gateway

struct LaneGateTests {
    private var gate = LaneGate()
    private var next = 0

    private mutating func send(at now: Timestamp) -> LaneTicket {
        let ticket = LaneTicket(number: next, sentAt: now)
        next += 1
        gate.pass(to: now)
        gate.sent(ticket)
        return ticket
    }

    private mutating func answer(
        _ ticket: LaneTicket, _ answer: LaneAnswer, at now: Timestamp, jitter: Double = 0.5
    ) -> Bool {
        gate.pass(to: now)
        return gate.answered(ticket, answer, next: next, at: now, jitter: jitter)
    }

    private var pause: Duration? {
        guard case .paused(let since, let until) = gate.state else { return nil }
        return until - since
    }

    @Test mutating func `a lost connection with all its requests is one failure, and no reason to pause`() {
        let tickets = (0..<100).map { _ in send(at: .noon) }
        for ticket in tickets { _ = answer(ticket, .fails(retryAfter: nil), at: .noon + .milliseconds(20)) }
        #expect(gate.state == .open)
    }

    @Test mutating func `three failed round trips in a row are`() {
        for round in 0..<3 {
            #expect(gate.state == .open)
            let time = Timestamp.noon + .milliseconds(Int64(round) * 10)
            _ = answer(send(at: time), .fails(retryAfter: nil), at: time)
        }
        #expect(pause == .milliseconds(1_500))
    }

    @Test mutating func `one success between them keeps it open`() {
        for round in 0..<20 {
            let time = Timestamp.noon + .milliseconds(Int64(round) * 10)
            _ = answer(send(at: time), round % 3 == 2 ? .works : .fails(retryAfter: nil), at: time)
        }
        #expect(gate.state == .open)
    }

    @Test mutating func `a request that found no answer for long needs no second one`() {
        _ = answer(send(at: .noon), .fails(retryAfter: nil), at: .noon + .seconds(20))
        #expect(pause != nil)
    }

    @Test mutating func `unless others were answered meanwhile`() {
        let slow = send(at: .noon)
        _ = answer(send(at: .noon + .seconds(18)), .works, at: .noon + .seconds(18))
        _ = answer(slow, .fails(retryAfter: nil), at: .noon + .seconds(20))
        #expect(gate.state == .open)
    }

    @Test(arguments: [
        (Duration.seconds(30), Duration.seconds(30)), (.milliseconds(1), .milliseconds(1_500)),
        (.seconds(86_400), .seconds(3_600)),
    ])
    mutating func `the provider's word pauses at once, and never less than ours`(_ told: Duration, _ pause: Duration) {
        _ = answer(send(at: .noon), .fails(retryAfter: told), at: .noon)
        #expect(self.pause == pause)
    }

    @Test mutating func `pauses grow to a minute, each with jitter, and end with one request that tries`() throws {
        var now = Timestamp.noon
        _ = answer(send(at: now), .fails(retryAfter: nil), at: now + .seconds(10), jitter: 0)
        now = now + .seconds(10)
        var pauses: [Duration] = []
        for round in 0..<8 {
            let pause = try #require(pause)
            pauses.append(pause)
            #expect(gate.allowance(at: now) == 0)
            now = now + pause
            gate.pass(to: now)
            #expect(gate.allowance(at: now) == 1)
            let probe = send(at: now)
            #expect(gate.allowance(at: now) == 0)
            _ = answer(probe, .fails(retryAfter: nil), at: now, jitter: round % 2 == 0 ? 0.999_999 : 0)
        }
        #expect(pauses.map { Int(($0 / .seconds(1)).rounded()) } == [1, 4, 1, 16, 1, 60, 1, 60])
    }

    @Test mutating func `answers to requests from before a pause neither open the gate nor close it for longer`() {
        let late = (0..<4).map { _ in send(at: .noon) }
        _ = answer(late[0], .fails(retryAfter: nil), at: .noon + .seconds(20))
        let state = gate.state
        _ = answer(late[1], .fails(retryAfter: nil), at: .noon + .milliseconds(20_100))
        _ = answer(late[2], .works, at: .noon + .milliseconds(20_200))
        #expect(gate.state == state)
        gate.pass(to: .noon + .seconds(30))
        _ = answer(late[3], .fails(retryAfter: nil), at: .noon + .seconds(30))
        #expect(gate.state == .probing(nil))
    }

    @Test mutating func `after an outage it opens by and by, and is open as long after as the outage took`() {
        _ = answer(send(at: .noon), .fails(retryAfter: nil), at: .noon + .seconds(6), jitter: 0)
        let back = Timestamp.noon + .seconds(11)
        #expect(answer(send(at: back), .works, at: back))
        var sent: [Int] = []
        for second in 0..<5 {
            var count = 0
            for slot in 0..<10 {
                let time = back + .milliseconds(Int64(second * 1_000 + slot * 100))
                gate.pass(to: time)
                while gate.allowance(at: time) > 0 {
                    _ = send(at: time)
                    count += 1
                }
            }
            sent.append(count)
        }
        #expect(sent == [15, 60, 240, 960, 3_840])
        gate.pass(to: back + .seconds(5))
        #expect(gate.state == .open)
    }

    @Test mutating func `a clock that was set back ends a pause instead of making it longer`() {
        _ = answer(send(at: .noon), .fails(retryAfter: .seconds(60)), at: .noon)
        gate.pass(to: .noon - .seconds(3_600))
        #expect(gate.allowance(at: .noon - .seconds(3_600)) == 1)
    }

    @Test mutating func `a key that is refused pauses the lane at once; one that is for other devices does not`() {
        _ = answer(send(at: .noon), LaneAnswer(.keyRefused("BadEnvironmentKeyIdInToken", scope: .device)), at: .noon)
        #expect(gate.state == .open)
        _ = answer(send(at: .noon), LaneAnswer(.keyRefused("InvalidProviderToken")), at: .noon)
        #expect(pause == .milliseconds(1_500))
    }
}
