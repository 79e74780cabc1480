import Inbox
import Push
import Storage
import Testing

/// A type with a pace: which pushes count in its hour, of those that are cancelled.
struct PacedCancellationTests {
    private func withPhones(_ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.store.register(.phone("tablet", token: "token-2"), for: .ada)
            try await body(fixture)
        }
    }

    /// The first push of the hour has left to a phone; three more wait for its end.
    private func withWaiting(_ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore { fixture in
            try await fixture.store.register(.phone(), for: .ada)
            try await fixture.publish("upvoted", "zero", to: .ada, at: .at(0))
            try await fixture.store.settle(try await fixture.job(at: .at(0)), as: .finish)
            for (second, text) in ["one", "two", "three"].enumerated() {
                try await fixture.publish("upvoted", text, to: .ada, at: .at(Int64(second) + 1))
            }
            try await body(fixture)
        }
    }

    /// The texts of what leaves by then, on both phones.
    private func texts(_ fixture: StoreFixture, at now: Timestamp) async throws -> [String] {
        let jobs = try await fixture.store.leasePushJobs(at: now).jobs
        for job in jobs { try await fixture.store.settle(job, as: .finish, at: now) }
        return jobs.map(\.body)
    }

    enum Cancelling: CaseIterable { case acknowledged, read, removed }

    private func cancel(_ cancelling: Cancelling, _ fixture: StoreFixture, at now: Timestamp) async throws {
        let ids = try await fixture.ids(of: .ada)
        switch cancelling {
        case .acknowledged: fixture.store.acknowledge(.ada, upTo: Int64(ids.count))
        case .read: try await fixture.store.apply(.read(.ids(ids)), for: .ada, at: now)
        case .removed: try await fixture.store.apply(.remove(.ids(ids)), for: .ada, at: now)
        }
    }

    @Test(arguments: Cancelling.allCases, [false, true])
    func `what was seen before its push left takes no place of the hour`(
        _ cancelling: Cancelling, afterRestart: Bool
    ) async throws {
        try await withPhones { first in
            try await first.publish("upvoted", "one", to: .ada, at: .at(0))
            var fixture = first
            if afterRestart { fixture = try await first.reopened() }
            try await cancel(cancelling, fixture, at: .at(1))
            if afterRestart { fixture = try await fixture.reopened() }
            try await fixture.publish("upvoted", "two", to: .ada, at: .at(10))
            #expect(try await texts(fixture, at: .at(10)) == ["two", "two"])
            // The hour is that of the one that left.
            try await fixture.publish("upvoted", "three", to: .ada, at: .at(3_605))
            #expect(try await texts(fixture, at: .at(3_609)) == [])
            if afterRestart { await fixture.store.close() }
        }
    }

    @Test(arguments: Cancelling.allCases)
    func `what may have left to one phone keeps its place`(_ cancelling: Cancelling) async throws {
        try await withPhones { fixture in
            try await fixture.publish("upvoted", "one", to: .ada, at: .at(0))
            let job = try #require(try await fixture.store.leasePushJobs(1, at: .at(0)).jobs.first)
            try await fixture.store.settle(job, as: .finish, at: .at(0))
            try await cancel(cancelling, fixture, at: .at(1))
            try await fixture.publish("upvoted", "two", to: .ada, at: .at(10))
            #expect(try await texts(fixture, at: .at(3_599)).filter { $0 == "two" } == [])
        }
    }

    @Test(arguments: Cancelling.allCases)
    func `what is on its way keeps its place, also when the process dies`(_ cancelling: Cancelling) async throws {
        try await withPhones { first in
            try await first.publish("upvoted", "one", to: .ada, at: .at(0))
            _ = try await first.store.leasePushJobs(at: .at(0))
            let fixture = try await first.reopened()
            try await cancel(cancelling, fixture, at: .at(1))
            try await fixture.publish("upvoted", "two", to: .ada, at: .at(10))
            #expect(try await texts(fixture, at: .at(3_599)).filter { $0 == "two" } == [])
            await fixture.store.close()
        }
    }

    @Test func `of those that wait together one that is read leaves the others their place`() async throws {
        try await withWaiting { fixture in
            let waiting = try await fixture.ids(of: .ada)[0]
            try await fixture.store.apply(.read(.ids([waiting])), for: .ada, at: .at(5))
            try await fixture.publish("upvoted", "four", to: .ada, at: .at(10))
            // That of the badge.
            #expect(try await texts(fixture, at: .at(3_599)) == [""])
            #expect(try await texts(fixture, at: .at(3_600)) == ["3 upvotes"])
        }
    }

    @Test func `when all that waited is seen the next waits for the hour's end all the same, for one has left`()
        async throws
    {
        try await withWaiting { fixture in
            fixture.store.acknowledge(.ada, upTo: 4)
            try await fixture.publish("upvoted", "four", to: .ada, at: .at(10))
            #expect(try await texts(fixture, at: .at(3_599)) == [])
            #expect(try await fixture.job(at: .at(3_600)).body == "four")
        }
    }
}
