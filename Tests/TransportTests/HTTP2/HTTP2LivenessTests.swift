import Testing

@testable import Transport

struct HTTP2LivenessTests {
    private let start = ContinuousClock.now
    private var liveness: HTTP2Liveness

    init() {
        var settings = HTTP2ClientSettings()
        settings.silence = .seconds(5)
        settings.pingTimeout = .seconds(10)
        settings.pingInterval = .seconds(30)
        settings.idleTimeout = .seconds(100)
        liveness = HTTP2Liveness(settings, at: start)
    }

    private func after(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }

    /// The next due step, and its time in seconds since the start.
    private mutating func nextDue() -> (seconds: Int64, due: HTTP2Liveness.Due?) {
        let deadline = liveness.nextDeadline
        #expect(liveness.due(at: deadline - .nanoseconds(1)) == nil)
        return ((deadline - start).components.seconds, liveness.due(at: deadline))
    }

    @Test mutating func `a peer that says nothing while a request waits is asked, and given up if it stays silent`() {
        liveness.becameBusy(at: after(1))
        #expect(nextDue() == (6, .ping))
        #expect(nextDue() == (16, .dead))
    }

    @Test mutating func `a slow peer is waited for as long as it answers PINGs`() {
        liveness.becameBusy(at: start)
        for round in 0..<100 {
            let asked = 5 + 14 * round
            #expect(nextDue() == (Int64(asked), .ping))
            liveness.heard(at: after(asked + 9))
        }
    }

    @Test mutating func `any sign of life counts, also when it comes before the PING`() {
        liveness.becameBusy(at: start)
        liveness.heard(at: after(4))
        #expect(nextDue() == (9, .ping))
    }

    @Test mutating func `one that was idle for long is not asked as soon as a request comes`() {
        liveness.becameBusy(at: after(29))
        #expect(nextDue() == (34, .ping))
    }

    @Test mutating func `an idle connection is asked now and then, and ends when nobody has used it for long`() {
        #expect(nextDue() == (30, .ping))
        liveness.heard(at: after(31))
        #expect(nextDue() == (61, .ping))
        liveness.heard(at: after(62))
        #expect(nextDue() == (92, .ping))
        liveness.heard(at: after(93))
        #expect(nextDue() == (100, .idle))
    }

    @Test mutating func `use begins its idleness anew`() {
        liveness.becameBusy(at: after(95))
        liveness.becameIdle(at: after(96))
        liveness.heard(at: after(96))
        #expect(nextDue() == (126, .ping))
        liveness.heard(at: after(190))
        #expect(nextDue() == (196, .idle))
    }

    @Test mutating func `an idle one that does not answer is given up`() {
        #expect(nextDue() == (30, .ping))
        #expect(nextDue() == (40, .dead))
    }
}
