import Testing

@testable import PostgresStore

struct QueueFrontTests {
    private let start = ContinuousClock.now

    /// One that has looked through everything at a moment.
    private func front(at now: Int64) -> QueueFront {
        var front = QueueFront()
        _ = front.begin(at: now, start)
        front.endFullLook(start, start)
        front.end(at: now, leaving: nil, then: nil)
        return front
    }

    @Test func `the first look begins at the beginning, and the next one somewhat before its end`() {
        var front = QueueFront()
        #expect(front.begin(at: 100_000, start) == .min)
        front.endFullLook(start, start)
        front.end(at: 100_000, leaving: nil, then: nil)
        #expect(front.begin(at: 100_500, start) == 100_000 - QueueFront.slack)
    }

    @Test func `what was left behind is where the next look begins`() {
        var front = front(at: 100_000)
        front.end(at: 110_000, leaving: 99_000, then: nil)
        #expect(front.begin(at: 110_000, start) == 99_000)
    }

    @Test func `a look begins at the beginning now and then`() {
        var front = front(at: 100_000)
        #expect(front.begin(at: 101_000, start + QueueFront.pause - .milliseconds(1)) > .min)
        #expect(front.begin(at: 101_000, start + QueueFront.pause) == .min)
    }

    @Test func `full looks that take long come rarely`() {
        var front = front(at: 100_000)
        front.endFullLook(start, start + .seconds(1))
        #expect(front.begin(at: 101_000, start + .seconds(QueueFront.share)) > .min)
        #expect(front.begin(at: 101_000, start + .seconds(QueueFront.share + 1)) == .min)
    }

    @Test func `a clock that was set back takes the front along`() {
        var front = front(at: 100_000)
        front.end(at: 100_000, leaving: nil, then: 130_000)
        #expect(front.begin(at: 50_000, start) == 50_000 - QueueFront.slack)
        #expect(front.ahead == .min)
    }

    @Test func `the next end of a lease is looked for from the last one on, unless this process writes an earlier one`()
    {
        var front = front(at: 100_000)
        front.end(at: 100_000, leaving: nil, then: 130_000)
        #expect(front.ahead == 130_000)
        front.wrote(140_000)
        #expect(front.ahead == 130_000)
        front.wrote(120_000)
        #expect(front.ahead == 120_000)
    }
}
