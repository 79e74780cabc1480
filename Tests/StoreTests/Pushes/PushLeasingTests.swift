import GRDB
import Inbox
import Push
import Synchronization
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// The pushes that the walk over the queue hands out.
struct PushLeasingTests {
    private static func people(_ count: Int) -> [UserID] { (0..<count).map { .user("user-\($0)") } }

    private func withPhones(_ users: [UserID], _ body: (StoreFixture) async throws -> Void) async throws {
        try await withStore { fixture in
            for user in users { try await fixture.store.register(.phone(token: user.name), for: user) }
            try await body(fixture)
        }
    }

    private func finish(_ jobs: [PushJob], _ fixture: StoreFixture, at now: Timestamp) async throws {
        let outcomes = jobs.map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }
        try await withCheckedThrowingContinuation { waiting in
            fixture.store.settle(outcomes, at: now) { waiting.resume(with: $0) }
        }
    }

    /// How many pushes wait. Checks that the writer's count is that of the queue.
    private func waiting(_ fixture: StoreFixture) async throws -> Int64 {
        let told = try await fixture.statistics().pushJobs
        let counts: PushCounts = try await withCheckedThrowingContinuation { waiting in
            fixture.sqlite.readDatabase({ waiting.resume(with: $0) }) { try PushQueueReader($0).read().counts }
        }
        #expect(told == counts.sum)
        return told
    }

    // MARK: Order

    @Test(arguments: [1, 3, 64, 100])
    func `jobs of one moment leave in the order in which they were queued, however many at a time`(
        _ limit: Int
    ) async throws {
        let users = Self.people(150)
        try await withPhones(users) { fixture in
            let order = users.enumerated().sorted { ($0.offset * 67) % 150 < ($1.offset * 67) % 150 }.map(\.element)
            for user in order { try await fixture.publish("shouted", "hi", to: user, at: .at(0)) }
            var left: [UserID] = []
            while true {
                let jobs = try await fixture.store.leasePushJobs(limit, at: .at(1)).jobs
                if jobs.isEmpty { break }
                #expect(jobs.count <= limit)
                left += jobs.map(\.user)
                try await finish(jobs, fixture, at: .at(1))
            }
            #expect(left == order)
            #expect(try await waiting(fixture) == 0)
        }
    }

    @Test func `a device with several jobs of one moment gets them one at a time, in their order`() async throws {
        try await withPhones([.ada, .bob]) { fixture in
            for number in 1...3 {
                try await fixture.publish("shouted", "ada \(number)", to: .ada, at: .at(0))
                try await fixture.publish("shouted", "bob \(number)", to: .bob, at: .at(0))
            }
            for number in 1...3 {
                let jobs = try await fixture.store.leasePushJobs(at: .at(1)).jobs
                #expect(jobs.map(\.body) == ["ada \(number)", "bob \(number)"])
                #expect(try await fixture.store.leasePushJobs(at: .at(1)).jobs.isEmpty)
                try await finish(jobs, fixture, at: .at(1))
            }
            #expect(try await waiting(fixture) == 0)
        }
    }

    @Test func `a job far behind the backlog of another device leaves beside it`() async throws {
        try await withPhones([.ada, .bob]) { fixture in
            for number in 0..<200 { try await fixture.publish("shouted", "\(number)", to: .ada, at: .at(0)) }
            try await fixture.publish("shouted", "bob's", to: .bob, at: .at(0))
            let jobs = try await fixture.store.leasePushJobs(2, at: .at(1)).jobs
            #expect(jobs.map(\.body) == ["0", "bob's"])
            try await finish(jobs, fixture, at: .at(1))
            // The walk is over; what it has found is not lost.
            for number in 1..<200 {
                let job = try await fixture.job(at: .at(2))
                #expect(job.body == "\(number)")
                try await finish([job], fixture, at: .at(2))
            }
            #expect(try await waiting(fixture) == 0)
        }
    }

    @Test(arguments: [64, 1_000])
    func `a very long backlog is walked some thousand jobs a call, and what is behind it still leaves`(
        _ limit: Int
    ) async throws {
        try await withPhones([.ada, .bob]) { fixture in
            try await fixture.publish("shouted", "ada's", to: .ada, at: .at(0))
            try await fixture.queue(9_000, for: .ada, at: .at(0))
            try await fixture.publish("shouted", "bob's", to: .bob, at: .at(1))
            var calls: [[String]] = []
            while calls.last != ["bob's"], calls.count < 9 {
                let answer = try await fixture.store.leasePushJobs(limit, at: .at(2))
                calls.append(answer.jobs.map(\.body))
                // There is more to be found at once.
                if calls.last != ["bob's"] { #expect(answer.nextDue == .at(2)) }
            }
            #expect((2...3).contains(calls.count))
            #expect(calls.flatMap(\.self) == ["ada's", "bob's"])
        }
    }

    // MARK: What is gone

    @Test func `parts of a push that has nothing to say any more are given up once, and others leave`() async throws {
        try await withPhones([.ada, .bob]) { fixture in
            try await fixture.publish("upvoted", "zero", to: .ada, at: .at(0))
            try await finish([try await fixture.job(at: .at(0))], fixture, at: .at(0))
            for text in ["one", "two", "three"] { try await fixture.publish("upvoted", text, to: .ada, at: .at(1)) }
            try await fixture.publish("shouted", "bob's", to: .bob, at: .at(3_600))
            try await fixture.publish("shouted", "ada's", to: .ada, at: .at(3_600))
            // The newest speaks for all.
            let newest = try #require(try await fixture.ids(of: .ada).dropFirst().first)
            let other = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            try await other.write { db in
                try db.execute(
                    sql: "DELETE FROM notification WHERE inbox = ? AND id = ?",
                    arguments: [newest.inbox, newest.sequence])
                // These jobs have no content, so their notifications must be asked.
                try db.execute(sql: "UPDATE push_job SET content = NULL")
            }
            try other.close()
            let jobs = try await fixture.store.leasePushJobs(at: .at(3_600)).jobs
            #expect(Set(jobs.map(\.body)) == ["bob's", "ada's"])
            #expect(try await waiting(fixture) == 2)
        }
    }

    @Test func `a job whose time is over is given up, and its device's next one leaves at once`() async throws {
        try await withPhones([.ada]) { fixture in
            _ = try await fixture.publish(
                fixture.entry("shouted", "old", to: [.ada], expiresAt: .at(10)),
                fixture.entry("shouted", "new", to: [.ada]), at: .at(0))
            #expect(try await fixture.job(at: .at(10)).body == "new")
            #expect(try await waiting(fixture) == 1)
        }
    }

    // MARK: One commit

    @Test func `a push leaves whole in the transaction in which it was published`() async throws {
        try await withPhones([.ada, .bob]) { fixture in
            let publication = Publication(
                publisher: "backend",
                entries: [
                    try fixture.entry("shouted", "to both", to: [.ada, .bob]),
                    try fixture.entry("shouted", "next", to: [.ada]),
                ], now: .at(0))
            let leased: LeasedPushJobs = try await withCheckedThrowingContinuation { waiting in
                fixture.write({ waiting.resume(with: $0) }) { open in
                    _ = try PublishWriter(open: open).publish(publication)
                    return .success(try PushLeasing(open: open, provider: .apns, now: .at(0), end: .at(30)).lease(10))
                }
            }
            #expect(leased.jobs.map(\.user) == [.ada, .bob])
            for job in leased.jobs {
                #expect(job.body == "to both")
                #expect(job.message.badge == (job.user == .ada ? 2 : 1))
                #expect(job.message.notification == (try await fixture.ids(of: job.user).last))
            }
            try await finish(leased.jobs, fixture, at: .at(1))
            #expect(try await fixture.job(at: .at(2)).body == "next")
        }
    }

    @Test(.mayNotHang) func `a publish and a lease that share a commit hand the push out whole`() async throws {
        try await withPhones([.ada]) { fixture in
            let publications = try ["one", "two"].map { text in
                Publication(
                    publisher: "backend", entries: [try fixture.entry("shouted", text, to: [.ada])], now: .at(0))
            }
            let leased = Mutex<[LeasedPushJobs]>([])
            try await fixture.whileHeld {
                for publication in publications {
                    fixture.store.publish(publication) { _ in }
                    fixture.store.leasePushJobs(10, for: .apns, at: .at(0), until: .at(30)) { result in
                        if let jobs = try? result.get() { leased.withLock { $0.append(jobs) } }
                    }
                }
            }
            _ = try await fixture.store.state(of: .user("behind"))
            let jobs = leased.withLock { $0.map(\.jobs) }
            #expect(jobs.map { $0.map(\.body) } == [["one"], []])
            #expect(jobs.first?.map(\.message.badge) == [1])
            #expect(fixture.commits.count == 1)
            try await finish(jobs.flatMap(\.self), fixture, at: .at(1))
            #expect(try await fixture.job(at: .at(2)).body == "two")
        }
    }
}

extension StoreFixture {
    /// Queues jobs of the user's only device that are about nothing.
    fileprivate func queue(_ count: Int64, for user: UserID, at due: Timestamp) async throws {
        try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
            write({ waiting.resume(with: $0) }) { open in
                let device = try open.devices.records(inbox: open.inbox(of: user).id)[0]
                for number in 1...count {
                    let job = NewPushJob(device: device.row, notification: 1_000 + number, due: due, expiry: .at(3_600))
                    try open.queue(job, .apns)
                }
                return .success(())
            }
        }
    }
}
