import GRDB
import Inbox
import Push
import Testing

@testable import SQLiteStore
@testable import Store

@Suite(.mayNotHang)
struct StatisticsTests {
    @Test(arguments: [1, 2, 3, 7, 1_000])
    func `steps of any length come to the same counts`(_ rows: Int) async throws {
        try await withStore { fixture in
            for (index, user) in [UserID.ada, .bob, .cleo].enumerated() {
                try await fixture.store.register(.phone("phone", token: "token-\(index)"), for: user)
            }
            try await fixture.say("1", to: .ada, .bob)
            try await fixture.say("2", to: .ada)
            try await fixture.add(3, to: .cleo, .bob)
            try await fixture.store.apply(.read(.upTo(1)), for: .ada)
            await fixture.store.close()
            let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            // Only ada's counts are her inbox's row's: she has read something.
            try database.inTransaction { db in
                try db.execute(sql: "UPDATE inbox SET unread = 5 WHERE user = 'ada'")
                var walk = StatisticsWalk(at: .at(7))
                while !walk.isOver { try walk.step(db, rows: rows) }
                var expected = StoreCounts(began: .at(7))
                (expected.inboxes, expected.notifications, expected.devices, expected.unreadDrift) = (3, 5, 3, 4)
                #expect(walk.counts == expected)
                return .rollback
            }
            try database.close()
        }
    }

    @Test(.ifPostgresIsTested) func `counts in PostgreSQL that differ from the rows are told`() async throws {
        try await Engine.$current.withValue(.postgres) {
            try await withStore { fixture in
                for user in [UserID.ada, .bob] { try await fixture.say("hi", to: user) }
                #expect(try await fixture.statistics().unreadDrift == 0)
                try StoreServer.run("UPDATE notification SET is_read = true", in: fixture.folder)
                #expect(try await fixture.statistics().unreadDrift == 2)
            }
        }
    }

    @Test func `of a large store the queue's length is told at once, and all else when it was counted`() async throws {
        let configure: StoreFixture.Configuration = { $0.countedRowsPerStep = 1 }
        try await withStore(configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            for number in 1...20 { try await fixture.say("\(number)", to: .ada, .bob, .cleo, .user("dora")) }
            let first = try await fixture.store.told()
            #expect((first.pushJobs, first.counts) == (20, nil))
            let counts = try await fixture.counts(began: .at(0))
            #expect((counts.inboxes, counts.notifications, counts.devices, counts.unreadDrift) == (4, 80, 1, 0))

            for number in 1...5 { try await fixture.say("more \(number)", to: .ada) }
            #expect(try await fixture.store.told().pushJobs == 25)
            try await fixture.store.apply(.read(.upTo(.max)), for: .ada)
            #expect(try await fixture.store.told().pushJobs == 0)
            #expect(try await fixture.counts(began: .at(1)).notifications == 85)
        }
    }

    @Test func `it is told how many changes are remembered, of inboxes that somebody has asked for`() async throws {
        try await withStore { fixture in
            try await fixture.say("1", to: .ada, .bob)
            #expect(try await fixture.store.told().remembered == RememberedChanges(changes: 0, bytes: 0))
            _ = try await fixture.store.state(of: .ada)
            try await fixture.say("2", to: .ada, .bob)
            try await fixture.store.apply(.read(.upTo(2)), for: .ada)
            let remembered = try await fixture.store.told().remembered
            #expect(remembered.changes == 2)
            #expect(remembered.bytes > 0)
        }
    }

    @Test func `the queue's length is told also while all reads are refused`() async throws {
        let configure: StoreFixture.Configuration = { $0.waitingReads = 0 }
        try await withStore(configure) { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.say("hi", to: .ada)
            for _ in 1...2 {
                let told = try await fixture.store.told()
                #expect((told.pushJobs, told.counts) == (1, nil))
            }
        }
    }

    @Test func `all who ask at once are answered`() async throws {
        try await withStore { fixture in
            for number in 1...20 { try await fixture.say("\(number)", to: .ada) }
            let counts = try await withThrowingTaskGroup { group in
                for _ in 0..<50 { group.addTask { try await fixture.statistics().notifications } }
                return try await group.reduce(into: Set<Int64>()) { $0.insert($1) }
            }
            #expect(counts == [20])
        }
    }

    @Test(arguments: [1, 1_000])
    func `a store that is closed says so, whatever it has counted before`(_ rows: Int) async throws {
        let configure: StoreFixture.Configuration = { $0.countedRowsPerStep = rows }
        try await withStore(configure) { fixture in
            for number in 1...9 { try await fixture.say("hi", to: .user("user-\(number)")) }
            _ = try await fixture.counts(began: .at(0))
            await fixture.store.close()
            await #expect(throws: StoreError.closed) { try await fixture.store.told() }
        }
    }
}

extension StoreFixture {
    /// Asks at that moment, as whoever watches a store does again and again, until it was counted from then on.
    fileprivate func counts(began: Timestamp) async throws -> StoreCounts {
        while true {
            if let counts = try await store.told(at: began).counts, counts.began == began { return counts }
            // Another read's time, so that the count is not kept from the processor.
            _ = try await store.page(of: .ada)
        }
    }
}
