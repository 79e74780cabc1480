import Testing

@testable import Postgres

@Suite struct ReconnectPaceTests {
    private let start = ContinuousClock.now

    @Test func `waits double from a tenth of a second to five seconds`() {
        var pace = ReconnectPace()
        let waits = (0..<8).map { _ in pace.failed(at: start, jitter: 0) }
        #expect(waits.prefix(4) == [.milliseconds(50), .milliseconds(100), .milliseconds(200), .milliseconds(400)])
        #expect(waits.suffix(2) == [.milliseconds(2500), .milliseconds(2500)])
    }

    @Test func `chance spreads a wait over the upper half of its window`() {
        var (early, late) = (ReconnectPace(), ReconnectPace())
        #expect(early.failed(at: start, jitter: 0) == .milliseconds(50))
        #expect(late.failed(at: start, jitter: 0.5) == .milliseconds(75))
    }

    @Test func `a connection that lasted begins anew, and one that did not goes on`() {
        var pace = ReconnectPace()
        for _ in 0..<3 { _ = pace.failed(at: start, jitter: 0) }
        pace.connected(at: start)
        #expect(pace.failed(at: start + .seconds(9), jitter: 0) == .milliseconds(400))
        pace.connected(at: start + .seconds(10))
        #expect(pace.failed(at: start + .seconds(20), jitter: 0) == .milliseconds(50))
    }
}
