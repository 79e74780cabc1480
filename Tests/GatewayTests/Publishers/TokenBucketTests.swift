import Inbox
import Support
import Testing

@testable import Gateway

struct TokenBucketTests {
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)

    @Test func `a burst may come at once, and then so many a second`() {
        var bucket = TokenBucket(perSecond: 10, burst: 30, at: Self.start)
        #expect(bucket.take(30, at: Self.start) == nil)
        let isEmpty = bucket.isEmpty(at: Self.start)
        #expect(isEmpty)
        #expect(bucket.take(1, at: Self.start) == 1)
        #expect(bucket.take(1, at: Self.start + .milliseconds(100)) == nil)
        #expect(bucket.take(1, at: Self.start + .milliseconds(150)) == 1)
        #expect(bucket.take(25, at: Self.start + .milliseconds(200)) == 3)
        #expect(bucket.take(30, at: Self.start + .seconds(3_600)) == nil)
        #expect(bucket.take(1, at: Self.start + .seconds(3_600)) == 1)
    }

    @Test func `more than a burst is taken from a full bucket, and paid back later`() {
        var bucket = TokenBucket(perSecond: 10, burst: 10, at: Self.start)
        #expect(bucket.take(100, at: Self.start) == nil)
        // 90 are owed.
        #expect(bucket.take(1, at: Self.start) == 10)
        #expect(bucket.take(1, at: Self.start + .seconds(9)) == 1)
        #expect(bucket.take(1, at: Self.start + .milliseconds(9_100)) == nil)
    }

    @Test func `a clock that is set back adds nothing, and takes nothing`() {
        var bucket = TokenBucket(perSecond: 1, burst: 2, at: Self.start)
        #expect(bucket.take(2, at: Self.start) == nil)
        #expect(bucket.take(1, at: Self.start + .seconds(-3_600)) == 1)
        #expect(bucket.take(1, at: Self.start + .seconds(-3_598)) == nil)
    }

    @Test(arguments: UInt64(1)...20)
    func `however they come, no span of time has more than a burst and its rate`(_ seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let (rate, burst) = (1 + random.next(below: 20), 1 + random.next(below: 50))
        var bucket = TokenBucket(perSecond: rate, burst: burst, at: Self.start)
        var (taken, milliseconds) = (0, 0)
        for _ in 0..<2_000 {
            milliseconds += random.next(below: 40)
            let count = 1 + random.next(below: min(3, burst))
            if bucket.take(count, at: Self.start + .milliseconds(Int64(milliseconds))) == nil { taken += count }
            #expect(Double(taken) <= Double(burst) + Double(rate * milliseconds) / 1_000 + 0.001)
        }
        // Nor fewer, where so many were asked for.
        #expect(Double(taken) >= min(1_000, Double(rate * milliseconds) / 1_000) - 1)
    }
}
