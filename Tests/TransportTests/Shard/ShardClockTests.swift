import Testing

@testable import Transport

@Suite struct ShardClockTests {
    private static let year: Int64 = 50 * 86_400 * 365
    private let clock = ShardClock()

    @Test(arguments: [1, 2, 49, 50, 51, 1_000_003, year, year * 300])
    func `a tick ends at its instant, and not a nanosecond before`(tick: Int64) {
        let instant = clock.instant(ofTick: tick)
        #expect(instant == clock.instant(ofTick: 0) + .milliseconds(20) * Int(tick))
        #expect(clock.ticks(to: instant) == tick)
        #expect(clock.ticks(to: instant - .nanoseconds(1)) == tick - 1)
        #expect(clock.ticks(to: instant + .nanoseconds(19_999_999)) == tick)
        #expect(clock.ticks(to: instant + .milliseconds(20)) == tick + 1)
    }

    @Test(arguments: [1, 2, 50, year * 300])
    func `before the clock was made, whole ticks are counted down to that`(tick: Int64) {
        let instant = clock.instant(ofTick: -tick)
        #expect(clock.ticks(to: instant) == -tick)
        #expect(clock.ticks(to: instant + .nanoseconds(1)) == 1 - tick)
        #expect(clock.ticks(to: instant - .nanoseconds(1)) == -tick)
    }

    @Test func `no tick has ended when it is made`() {
        let epoch = clock.instant(ofTick: 0)
        #expect(epoch <= .now)
        #expect(clock.ticks(to: epoch) == 0)
    }
}
