import Inbox
import Push
import Storage
import Testing

/// Pushes to many devices, which are found and marked several at a time.
struct PushTogetherTests {
    private func withPhones(
        _ count: Int, _ body: (StoreFixture, [UserID]) async throws -> Void
    ) async throws {
        try await withStore { fixture in
            let users = (0..<count).map { UserID.user("user-\($0)") }
            for user in users {
                try await fixture.store.register(.phone(token: user.rawValue), for: user)
                try await fixture.say("to \(user.rawValue)", to: user)
            }
            try await body(fixture, users)
        }
    }

    private func finish(_ jobs: [PushJob], _ fixture: StoreFixture) async throws {
        let outcomes = jobs.map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }
        try await withCheckedThrowingContinuation { continuation in
            fixture.store.settle(outcomes, at: .at(20)) { continuation.resume(with: $0) }
        }
    }

    @Test(arguments: [1, 15, 16, 17, 40])
    func `however many leave together, each says what its own user is told`(_ count: Int) async throws {
        try await withPhones(count) { fixture, users in
            let jobs = try await fixture.store.leasePushJobs(100, at: .at(10)).jobs
            #expect(jobs.map(\.body).sorted() == users.map { "to \($0.rawValue)" }.sorted())
            for job in jobs {
                #expect(job.body == "to \(job.user.rawValue)")
                #expect(job.device.token == job.user.rawValue)
                #expect(job.message.collapseID == job.message.notification?.text)
            }
            try await finish(jobs, fixture)
            #expect(try await fixture.store.statistics().pushJobs == 0)
            for user in users { try await fixture.store.apply(.read(.upTo(1)), for: user, at: .at(30)) }
            let badges = try await fixture.store.leasePushJobs(100, at: .at(60)).jobs
            #expect(Set(badges.flatMap(\.message.withdrawn)) == Set(jobs.map(\.message.collapseID)))
        }
    }

    @Test func `among many, what was read before does not leave, and what was read meanwhile is withdrawn`()
        async throws
    {
        try await withPhones(40) { fixture, users in
            let before = Set(users.enumerated().filter { $0.offset % 3 == 0 }.map(\.element))
            for user in before { try await fixture.store.apply(.read(.upTo(1)), for: user, at: .at(5)) }
            let jobs = try await fixture.store.leasePushJobs(100, at: .at(10)).jobs
            #expect(Set(jobs.map(\.user)) == Set(users).subtracting(before))
            let meanwhile = jobs.enumerated().filter { $0.offset % 5 == 0 }.map(\.element)
            for job in meanwhile { try await fixture.store.apply(.read(.upTo(1)), for: job.user, at: .at(15)) }
            try await finish(jobs, fixture)
            #expect(try await fixture.store.statistics().pushJobs == Int64(meanwhile.count))
            let badges = try await fixture.store.leasePushJobs(100, at: .at(60)).jobs
            #expect(Set(badges.map(\.user)) == Set(meanwhile.map(\.user)))
            #expect(Set(badges.flatMap(\.message.withdrawn)) == Set(meanwhile.map(\.message.collapseID)))
        }
    }
}
