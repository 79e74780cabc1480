import Testing

@testable import Gateway

/// The limit of publishes under way.
@Suite struct `Publishes under way` {
    @Test func `are refused once they take all the room, and taken again when one has its answer`() throws {
        let load = PublishLoad(maximumBytes: 1_000)
        let first = try #require(load.take(400, by: .user(1)))
        let second = try #require(load.take(600, by: .user(2)))
        #expect(load.take(1, by: .user(3)) == nil && load.isFull(for: .user(3)))
        #expect(!second.grow(by: 1))
        first.end()
        #expect(load.take(1, by: .user(3)) != nil)
        #expect(load.underWay == 1)
    }

    @Test func `of publishers that the settings name are counted for each, also where no user tells them apart`() {
        let load = PublishLoad(maximumBytes: 1_000)
        let (one, other) = (Publisher.named("one", place: 0), Publisher.named("other", place: 1))
        var shares: [PublishLoad.Share] = []
        while let share = load.take(100, by: one) { shares.append(share) }
        #expect(load.isFull(for: one) && !load.isFull(for: other) && load.take(100, by: other) != nil)
    }

    @Test(arguments: [(1, 1), (10, 10), (100, 100), (333, 1)])
    func `of one user take three quarters of the room, and what is left is the others'`(bytes: Int, more: Int) {
        let load = PublishLoad(maximumBytes: 1_000)
        var shares: [PublishLoad.Share] = []
        while let share = load.take(bytes, by: .user(7)) { shares.append(share) }
        let taken = shares.count * bytes
        // The last one may exceed it.
        #expect(taken > 750 && taken - bytes <= 750, "\(taken)")
        #expect(load.take(more, by: .user(8)) != nil)
        shares.removeAll()
        #expect(load.take(bytes, by: .user(7)) != nil)
    }

    @Test func `of several users leave the next one a quarter of what they found`() {
        let load = PublishLoad(maximumBytes: 65_536)
        var shares: [PublishLoad.Share] = []
        for (user, room) in zip(UInt32(0)..., [65_536, 16_384, 4_096, 1_024]) {
            #expect(abs(65_536 - shares.count - room) <= 4, "before user \(user)")
            while let share = load.take(1, by: .user(user)) { shares.append(share) }
        }
        #expect(load.take(1, by: .user(9)) != nil)
    }

    @Test func `count until their answer, or until nobody holds them, and once`() throws {
        let load = PublishLoad(maximumBytes: 100)
        var share = load.take(100, by: .user(1))
        try #require(share).end()
        try #require(share).end()
        #expect(load.underWay == 0 && !load.isFull(for: .user(1)))
        share = load.takeAnyway(100, by: .user(1))
        #expect(load.isFull(for: .user(2)))
        share = nil
        #expect(load.underWay == 0 && !load.isFull(for: .user(2)))
    }
}
