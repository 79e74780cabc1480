import Testing

@testable import Gateway

struct HeartbeatTests {
    let start = Moment(.now)
    let pace = Heartbeat.Pace(interval: .seconds(20), pongTimeout: .seconds(10))

    func heartbeat(jitter: Double = 0.5) -> Heartbeat {
        Heartbeat(pace, at: start, jitter: jitter)
    }

    @Test(arguments: [(0.0, 18_000), (0.5, 20_000), (0.999_999, 22_000)])
    func `the first beat comes within a tenth of its interval`(_ jitter: Double, _ milliseconds: Int) {
        let distance = heartbeat(jitter: jitter).nextWake(pace) - start - .milliseconds(milliseconds)
        #expect(distance < .milliseconds(1) && distance > .milliseconds(-1))
    }

    @Test func `each beat draws its own jitter`() {
        var heartbeat = heartbeat()
        #expect(heartbeat.wake(at: start + .seconds(19), pace, jitter: 0) == .none)
        #expect(heartbeat.wake(at: start + .seconds(20), pace, jitter: 0) == .beat)
        heartbeat.heard(at: start + .seconds(20))
        #expect(heartbeat.nextWake(pace) == start + .seconds(38))
        #expect(heartbeat.wake(at: start + .seconds(38), pace, jitter: 0.5) == .beat)
        heartbeat.heard(at: start + .seconds(38))
        #expect(heartbeat.nextWake(pace) == start + .seconds(58))
    }

    @Test func `a peer that stays silent after the latest beat there could be is given up`() {
        var heartbeat = heartbeat(jitter: 0.999_999)
        #expect(heartbeat.wake(at: start + .seconds(22), pace, jitter: 0.5) == .beat)
        #expect(heartbeat.nextWake(pace) == start + .seconds(32))
        #expect(heartbeat.isFresh(at: start + .seconds(32) - .milliseconds(1), pace))
        #expect(heartbeat.wake(at: start + .seconds(32) - .milliseconds(1), pace, jitter: 0.5) == .none)
        #expect(!heartbeat.isFresh(at: start + .seconds(32), pace))
        #expect(heartbeat.wake(at: start + .seconds(32), pace, jitter: 0.5) == .giveUp)
    }

    @Test func `any frame is a sign of life`() {
        var heartbeat = heartbeat()
        var now = start
        for second in stride(from: 5, through: 500, by: 5) {
            now = start + .seconds(second)
            heartbeat.heard(at: now)
            #expect(heartbeat.wake(at: now, pace, jitter: 0.3) != .giveUp)
        }
        #expect(heartbeat.isFresh(at: now + .seconds(31), pace))
        #expect(heartbeat.wake(at: now + .seconds(32), pace, jitter: 0.3) == .giveUp)
    }

    @Test func `a timer that fires late gives one beat, not those that were missed`() {
        var heartbeat = heartbeat(jitter: 0)
        #expect(heartbeat.wake(at: start + .seconds(31), pace, jitter: 0) == .beat)
        #expect(heartbeat.wake(at: start + .seconds(31), pace, jitter: 0) == .none)
    }

    @Test func `a timer that fires long after a peer was to be given up sends a beat, and gives it time to answer`() {
        var heartbeat = heartbeat()
        let woken = start + .seconds(72)
        #expect(heartbeat.wake(at: woken, pace, jitter: 0.5) == .beat)
        #expect(heartbeat.isFresh(at: woken + .seconds(10) - .milliseconds(1), pace))
        #expect(heartbeat.nextWake(pace) == woken + .seconds(10))
        var answering = heartbeat
        answering.heard(at: woken + .seconds(9))
        #expect(answering.wake(at: woken + .seconds(10), pace, jitter: 0.5) == .none)
        #expect(heartbeat.wake(at: woken + .seconds(10), pace, jitter: 0.5) == .giveUp)
    }
}
