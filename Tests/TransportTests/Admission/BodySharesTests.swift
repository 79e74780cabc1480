import Testing

@testable import Transport

/// Bodies that are on their way and may take a hundred thousand bytes together.
@Suite struct `Bodies on their way` {
    static let begin = ContinuousClock.now
    let one = BodyShares.Owner(userID: 1, address: nil)
    let two = BodyShares.Owner(userID: 2, address: nil)

    func after(_ seconds: Int) -> ContinuousClock.Instant { Self.begin + .seconds(seconds) }

    @Test func `take what there is, and give it back at their end`() {
        var shares = BodyShares(maximumBytes: 100_000)
        #expect(shares.grow(1, of: one, to: 60_000, at: after(0)) == [])
        #expect(shares.grow(2, of: one, to: 40_000, at: after(0)) == [])
        #expect(shares.bytes == 100_000)
        shares.end(1)
        shares.end(2)
        shares.end(2)
        #expect(shares.bytes == 0 && shares.count == 0)
    }

    @Test func `give way when they have not moved on for the longest time`() {
        var shares = BodyShares(maximumBytes: 200_000)
        #expect(shares.grow(1, of: one, to: 50_000, at: after(0)) == [])
        #expect(shares.grow(2, of: one, to: 40_000, at: after(1)) == [])
        // A body that moves on by much is not the one that stood still.
        #expect(shares.grow(1, of: one, to: 70_000, at: after(2)) == [])
        #expect(shares.grow(3, of: one, to: 100_000, at: after(3)) == [2])
        #expect(shares.bytes == 170_000)
    }

    @Test func `do not move on by a byte now and then`() {
        var shares = BodyShares(maximumBytes: 100_000)
        #expect(shares.grow(1, of: one, to: 50_000, at: after(0)) == [])
        #expect(shares.grow(2, of: one, to: 40_000, at: after(1)) == [])
        for byte in 1...100 { #expect(shares.grow(1, of: one, to: 50_000 + byte, at: after(1 + byte)) == []) }
        #expect(shares.grow(3, of: one, to: 30_000, at: after(200)) == [1])
    }

    @Test func `give way only to others while there is a sender who takes more`() {
        var shares = BodyShares(maximumBytes: 100_000)
        #expect(shares.grow(1, of: two, to: 20_000, at: after(0)) == [])
        #expect(shares.grow(2, of: one, to: 40_000, at: after(1)) == [])
        #expect(shares.grow(3, of: one, to: 40_000, at: after(2)) == [])
        // The older one of those who are two.
        #expect(shares.grow(4, of: two, to: 30_000, at: after(3)) == [2])
        // The one that asks has most, and stood still longest.
        #expect(shares.grow(3, of: one, to: 48_000, at: after(4)) == [])
        #expect(shares.grow(3, of: one, to: 70_000, at: after(5)) == [3])
    }

    @Test func `one after the other give way to a large one`() {
        var shares = BodyShares(maximumBytes: 100_000)
        for key in 1...5 { #expect(shares.grow(key, of: one, to: 20_000, at: after(key)) == []) }
        #expect(shares.grow(6, of: one, to: 50_000, at: after(9)) == [1, 2, 3])
    }

    @Test func `that are whole stay until their end, and those that come give way`() {
        var shares = BodyShares(maximumBytes: 100_000)
        #expect(shares.grow(1, of: one, to: 90_000, at: after(0)) == [])
        shares.complete(1)
        #expect(shares.grow(2, of: two, to: 20_000, at: after(1)) == [2])
        #expect(shares.bytes == 90_000)
        shares.end(1)
        #expect(shares.grow(3, of: two, to: 20_000, at: after(2)) == [])
    }

    @Test func `are never more than there is room for, whatever comes`() {
        var (shares, random) = (BodyShares(maximumBytes: 100_000), SystemRandomNumberGenerator())
        var open: [Int: Int] = [:]
        for step in 0..<3_000 {
            let key = Int.random(in: 1...40, using: &random)
            let size = open[key, default: 0] + Int.random(in: 0...30_000, using: &random)
            open[key] = size
            let owner = key % 3 == 0 ? one : two
            for gone in shares.grow(key, of: owner, to: size, at: after(step)) { open[gone] = nil }
            #expect(shares.bytes <= 100_000)
            #expect(shares.bytes == open.values.reduce(0, +))
        }
        for key in open.keys { shares.end(key) }
        #expect(shares.bytes == 0)
    }
}
