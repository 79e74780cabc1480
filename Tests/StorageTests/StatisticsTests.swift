import Inbox
import Push
import Storage
import Testing

struct StatisticsTests {
    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `steps of any length come to the same counts`(_ rows: Int) async throws {
        let configure: StoreFixture.Configuration = { $0.countedRowsPerStep = rows }
        try await withStore(configure) { fixture in
            for (index, user) in [UserID.ada, .bob, .cleo].enumerated() {
                try await fixture.store.register(.phone("phone", token: "token-\(index)"), for: user)
            }
            try await fixture.say("1", to: .ada, .bob)
            try await fixture.say("2", to: .ada)
            try await fixture.add(3, to: .cleo, .bob)
            try await fixture.store.apply(.read(.upTo(1)), for: .ada)
            let waiting = Dictionary(
                uniqueKeysWithValues: Device.Provider.allCases.map { ($0, Int64($0 == .apns ? 4 : 0)) })
            #expect(
                try await fixture.store.statistics()
                    == StoreStatistics(
                        inboxes: 3, notifications: 5, contents: 3, pushJobs: 4, unreadDrift: 0,
                        pushJobsByProvider: waiting, devices: 3))
        }
    }

    @Test func `the queue's length is of this moment also where the store is counted seldom`() async throws {
        let configure: StoreFixture.Configuration = { $0.countedRowsPerStep = 1 }
        try await withStore(configure) { fixture in
            try await fixture.store.register(.phone("phone", token: "token"), for: .ada)
            for number in 1...20 { try await fixture.say("\(number)", to: .ada) }
            #expect(try await fixture.store.statistics().pushJobs == 20)
            // A count of so many steps is followed by a rest, in which the others are told of a while ago.
            for number in 1...5 { try await fixture.say("more \(number)", to: .ada) }
            #expect(try await fixture.store.statistics().pushJobs == 25)
            try await fixture.store.apply(.read(.upTo(.max)), for: .ada)
            #expect(try await fixture.store.statistics().pushJobs == 0)
        }
    }

    @Test func `all who ask at once are answered`() async throws {
        let configure: StoreFixture.Configuration = { $0.countedRowsPerStep = 1 }
        try await withStore(configure) { fixture in
            for number in 1...20 { try await fixture.say("\(number)", to: .ada) }
            let store = fixture.store
            let counts = try await withThrowingTaskGroup { group in
                for _ in 0..<50 { group.addTask { try await store.statistics().notifications } }
                return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
            }
            #expect(counts == [20])
        }
    }

    @Test func `a store that is closed says so`() async throws {
        try await withStore { fixture in
            _ = try await fixture.store.statistics()
            await fixture.store.close()
            await #expect(throws: StoreError.closed) { try await fixture.store.statistics() }
        }
    }
}
