import Testing
import Tracing

struct ExportMachineTests {
    private var machine = ExportMachine()
    private let start = ContinuousClock.now

    private func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// Up to the first request.
    private mutating func send() {
        _ = machine.next(waiting: 1, at: start)
        #expect(machine.next(waiting: 1, at: at(1)) == .sendNext)
    }

    @Test mutating func `a few spans wait a second for more`() {
        #expect(machine.next(waiting: 0, at: start) == .rest)
        #expect(machine.next(waiting: 1, at: start) == .wake(at: at(1)))
        #expect(machine.next(waiting: 2, at: at(0.5)) == .wake(at: at(1)))
        #expect(machine.next(waiting: 2, at: at(1)) == .sendNext)
        #expect(machine.next(waiting: 3, at: at(5)) == .rest)
        #expect(machine.answered(.accepted, at: at(6), jitter: 0) == .delivered)
        #expect(machine.next(waiting: 3, at: at(6)) == .wake(at: at(7)))
    }

    @Test mutating func `a full batch leaves at once`() {
        #expect(machine.next(waiting: 512, at: start) == .sendNext)
    }

    @Test mutating func `pauses double, and the fifth failure loses the batch`() {
        send()
        var now = at(1)
        for pause in [1.0, 2, 4, 8] {
            #expect(machine.answered(.busy(retryAfter: nil), at: now, jitter: 1) == .triedAgain)
            #expect(machine.next(waiting: 9_999, at: now) == .wake(at: now + .seconds(pause)))
            now += .seconds(pause)
            #expect(machine.next(waiting: 9_999, at: now) == .sendAgain)
        }
        #expect(machine.answered(.busy(retryAfter: nil), at: now, jitter: 1) == .lost)
        #expect(machine.next(waiting: 9_999, at: now) == .sendNext)
    }

    @Test mutating func `half of a pause is left to chance`() {
        send()
        _ = machine.answered(.busy(retryAfter: nil), at: at(1), jitter: 0)
        #expect(machine.next(waiting: 0, at: at(1)) == .wake(at: at(1.5)))
    }

    @Test(arguments: [(2, 2), (0, 0), (3_600, 30), (-5, 0)] as [(Int64, Double)])
    mutating func `a collector's own delay counts, up to half a minute`(_ told: Int64, _ pause: Double) {
        send()
        let answer = ExportMachine.Answer(status: 503, retryAfter: told)
        #expect(machine.answered(answer, at: at(1), jitter: 0.5) == .triedAgain)
        let step = machine.next(waiting: 0, at: at(1))
        #expect(step == (pause == 0 ? .sendAgain : .wake(at: at(1 + pause))))
    }

    @Test func `OTLP's four statuses are tried again, other failures are not`() {
        for status in [429, 502, 503, 504] {
            #expect(ExportMachine.Answer(status: status, retryAfter: nil) == .busy(retryAfter: nil))
        }
        for status in [301, 400, 401, 403, 404, 413, 415, 500, 501] {
            #expect(ExportMachine.Answer(status: status, retryAfter: 1) == .refused)
        }
        for status in [200, 202, 204] { #expect(ExportMachine.Answer(status: status, retryAfter: nil) == .accepted) }
    }

    @Test mutating func `a refused batch is lost, and the next one follows`() {
        send()
        #expect(machine.answered(.refused, at: at(2), jitter: 0) == .lost)
        #expect(machine.isIdle)
        #expect(machine.next(waiting: 1, at: at(2)) == .wake(at: at(3)))
    }

    @Test mutating func `at the end everything leaves at once, with one try`() {
        #expect(machine.next(waiting: 1, at: start) == .wake(at: at(1)))
        machine.end()
        #expect(machine.next(waiting: 600, at: start) == .sendNext)
        #expect(machine.answered(.accepted, at: start, jitter: 0) == .delivered)
        #expect(machine.next(waiting: 88, at: start) == .sendNext)
        #expect(machine.answered(.busy(retryAfter: nil), at: start, jitter: 0) == .lost)
        #expect(machine.next(waiting: 0, at: start) == .rest)
        #expect(machine.isIdle)
    }

    @Test mutating func `at the end a batch that pauses gets its last try`() {
        send()
        _ = machine.answered(.busy(retryAfter: nil), at: at(1), jitter: 0)
        machine.end()
        #expect(machine.next(waiting: 0, at: at(1)) == .sendAgain)
        #expect(machine.answered(.busy(retryAfter: nil), at: at(1), jitter: 0) == .lost)
    }
}
