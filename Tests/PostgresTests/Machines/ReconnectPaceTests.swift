import Testing

@testable import Postgres

@Suite struct ReconnectPaceTests {
    private let start = ContinuousClock.now

    @Test func `waits double from a tenth of a second to half a second`() {
        var pace = ReconnectPace()
        let waits = (0..<8).map { _ in pace.failed(at: start, jitter: 0) }
        #expect(waits.prefix(3) == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
        #expect(waits.suffix(5) == [Duration](repeating: .milliseconds(250), count: 5))
    }

    @Test func `chance spreads a wait over the upper half of its window`() {
        var (early, late) = (ReconnectPace(), ReconnectPace())
        #expect(early.failed(at: start, jitter: 0) == .milliseconds(50))
        #expect(late.failed(at: start, jitter: 0.5) == .milliseconds(75))
    }

    @Test func `a connection that lasted begins anew, and one that did not goes on`() {
        var pace = ReconnectPace()
        for _ in 0..<2 { _ = pace.failed(at: start, jitter: 0) }
        pace.connected(at: start)
        #expect(pace.failed(at: start + .seconds(9), jitter: 0) == .milliseconds(200))
        pace.connected(at: start + .seconds(10))
        #expect(pace.failed(at: start + .seconds(20), jitter: 0) == .milliseconds(50))
    }
}
