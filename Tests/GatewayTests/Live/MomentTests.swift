import Testing

@testable import Gateway

struct MomentTests {
    private let instant = ContinuousClock.now

    @Test func `is as precise as nanoseconds, and comes back as the instant it was made of`() {
        let moment = Moment(instant)
        #expect(instant - moment.instant < .nanoseconds(1))
        #expect((moment + .nanoseconds(1)).instant - moment.instant == .nanoseconds(1))
        #expect(moment + .seconds(25) - moment == .seconds(25))
        #expect(moment - .milliseconds(5) < moment)
    }

    @Test func `is rounded up to the same moment as all others in its grain`() {
        let moment = Moment(instant)
        let end = moment.roundedUp(to: .milliseconds(100))
        #expect(end >= moment && end - moment < .milliseconds(100))
        #expect(end.roundedUp(to: .milliseconds(100)) == end)
        #expect((end - .milliseconds(99)).roundedUp(to: .milliseconds(100)) == end)
        #expect((end + .nanoseconds(1)).roundedUp(to: .milliseconds(100)) == end + .milliseconds(100))
        #expect(moment.roundedUp(to: .zero) == moment)
    }

    @Test(arguments: [Duration.seconds(253_402_300_799), .seconds(253_402_300_799) * 1_000, .seconds(Int64.max)])
    func `a moment beyond all calendars is later than everything, and no sum of it breaks`(_ far: Duration) {
        let moment = Moment(instant) + far
        #expect(moment > Moment(instant) + .seconds(4_000_000_000))
        #expect(moment + far >= moment)
        #expect(moment.roundedUp(to: .milliseconds(98)).instant > instant)
        #expect(Moment(instant) - far < Moment(instant))
    }
}
