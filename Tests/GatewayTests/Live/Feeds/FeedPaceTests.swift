import Testing

@testable import Gateway

struct FeedPaceTests {
    private let start = ContinuousClock.now

    private func at(_ microseconds: Int) -> ContinuousClock.Instant { start + .microseconds(microseconds) }

    /// One where an item came right at the end of the walk that told of another, and was told.
    private func busyPace() -> FeedPace {
        var pace = FeedPace()
        pace.came(at: at(-9_000))
        pace.told(until: at(-5_000))
        pace.came(at: at(-4_990))
        pace.told(until: at(-1_000))
        return pace
    }

    @Test func `an item for so many waits at most as long as telling them takes, and never long`() {
        let cases: [(waited: Int, memberCount: Int, mayWait: Bool)] = [
            (0, 249, false), (0, 250, true), (1_000, 250, false), (3_000, 1_000, true), (4_000, 1_000, false),
            (19_000, 100_000, true), (20_000, 100_000, false),
        ]
        var pace = FeedPace()
        #expect(!pace.mayWait(at: at(0), memberCount: 1_000))
        pace.came(at: at(0))
        pace.came(at: at(500))
        for (waited, memberCount, mayWait) in cases {
            #expect(pace.mayWait(at: at(waited), memberCount: memberCount) == mayWait, "\(waited), \(memberCount)")
        }
    }

    @Test func `items that come one by one never wait, however soon they follow each other`() {
        var pace = FeedPace()
        for item in 0..<10 {
            let came = item * 5_000
            pace.came(at: at(came))
            #expect(!pace.expectsMore(at: at(came)))
            // The next one comes 100 µs later.
            pace.told(until: at(came + 4_900))
        }
    }

    @Test func `items that came during a walk do not wait, and the next that comes alone does`() {
        var pace = FeedPace()
        pace.came(at: at(0))
        #expect(!pace.expectsMore(at: at(0)))
        pace.told(until: at(4_000))
        pace.came(at: at(4_010))
        #expect(!pace.expectsMore(at: at(4_010)))
        pace.told(until: at(8_000))
        pace.came(at: at(8_200))
        #expect(pace.expectsMore(at: at(8_200)))
    }

    @Test func `a wait ends a millisecond after the last one came`() {
        var pace = busyPace()
        pace.came(at: at(0))
        #expect(pace.expectsMore(at: at(999)))
        #expect(!pace.expectsMore(at: at(1_000)))
        pace.came(at: at(900))
        #expect(pace.expectsMore(at: at(1_899)))
        #expect(!pace.expectsMore(at: at(1_900)))
    }

    @Test func `waiting goes on for as long as it brings others, and ends after one wait in vain`() {
        var pace = busyPace()
        for round in 0..<3 {
            pace.came(at: at(round * 10_000))
            #expect(pace.expectsMore(at: at(round * 10_000)))
            pace.came(at: at(round * 10_000 + 100))
            pace.told(until: at(round * 10_000 + 5_000))
        }
        pace.came(at: at(30_000))
        #expect(pace.expectsMore(at: at(30_000)))
        pace.told(until: at(35_000))
        pace.came(at: at(40_000))
        #expect(!pace.expectsMore(at: at(40_000)))
    }

    @Test func `nothing is learnt of a walk to few`() {
        var pace = FeedPace()
        pace.came(at: at(0))
        pace.told(until: nil)
        pace.came(at: at(10))
        pace.told(until: at(500))
        pace.came(at: at(900))
        #expect(!pace.expectsMore(at: at(900)))
    }
}
