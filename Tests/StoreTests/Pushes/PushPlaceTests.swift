import GRDB
import Inbox
import Push
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// Where jobs stand in a store's queue, and who is meant by a place that was another's.
struct PushPlaceTests {
    private func withPhones(
        _ users: [UserID] = [.ada, .bob, .cleo], _ configure: StoreFixture.Configuration = { _ in },
        _ body: (StoreFixture) async throws -> Void
    ) async throws {
        try await withStore(configure) { fixture in
            for user in users { try await fixture.store.register(.phone(token: user.name), for: user) }
            try await body(fixture)
        }
    }

    /// The places of all jobs that wait.
    private func places(_ fixture: StoreFixture) async throws -> [Int64] {
        try await withCheckedThrowingContinuation { waiting in
            fixture.sqlite.readDatabase({ waiting.resume(with: $0) }) { db in
                try Int64.fetchAll(db, sql: "SELECT place FROM push_job ORDER BY place")
            }
        }
    }

    /// Ada's push is on its way and was acknowledged; bob's has its place by now.
    private func withPlaceGivenAnew(_ body: (StoreFixture, PushJob) async throws -> Void) async throws {
        try await withPhones { fixture in
            try await fixture.say("to ada", to: .ada, at: .at(0))
            let before = try await places(fixture)
            let job = try await fixture.job(at: .at(1))
            try await fixture.say("to cleo", to: .cleo, at: .at(100))
            fixture.store.acknowledge(.ada, upTo: 1)
            try await fixture.say("to bob", to: .bob, at: .at(0))
            #expect(try await places(fixture).first == before.first)
            try await body(fixture, job)
            // Ada's is known to be on her screen.
            try await fixture.store.apply(.read(.upTo(1)), for: .ada, at: .at(200))
            let later = try await fixture.store.leasePushJobs(at: .at(260)).jobs
            #expect(later.first { $0.user == .ada }?.message.withdrawn == [job.message.collapseID])
        }
    }

    private func leaveBobs(_ fixture: StoreFixture, at now: Int64) async throws {
        let job = try await fixture.job(at: .at(now))
        #expect((job.user, job.body) == (.bob, "to bob"))
        try await fixture.store.settle(job, as: .finish, at: .at(now))
        #expect(try await fixture.statistics().pushJobs == 1)
    }

    @Test func `a push that is accepted takes no job along that has its place by now`() async throws {
        try await withPlaceGivenAnew { fixture, job in
            try await fixture.store.settle(job, as: .finish, at: .at(2))
            #expect(try await fixture.statistics().pushJobs == 2)
            try await leaveBobs(fixture, at: 3)
        }
    }

    @Test func `a push whose lease has ended gives back no job that has its place by now`() async throws {
        try await withPlaceGivenAnew { fixture, job in
            try await leaveBobs(fixture, at: 50)
            try await fixture.store.settle(job, as: .finish, at: .at(51))
            #expect(try await fixture.statistics().pushJobs == 1)
        }
    }

    @Test func `a push that is accepted late takes no job along that has its place by now`() async throws {
        try await withPlaceGivenAnew { fixture, job in
            let bobs = try await fixture.job(at: .at(50))
            #expect(bobs.user == .bob)
            try await fixture.store.settle(job, as: .finish, at: .at(51))
            #expect(try await fixture.statistics().pushJobs == 2)
            try await fixture.store.settle(bobs, as: .finish, at: .at(52))
            #expect(try await fixture.statistics().pushJobs == 1)
        }
    }

    @Test(arguments: [PushAction.retry(at: .at(20)), .abandon(reason: "no")])
    func `a push that failed does nothing to a job that has its place by now`(_ action: PushAction) async throws {
        try await withPhones { fixture in
            try await fixture.say("to ada", to: .ada, at: .at(0))
            let job = try await fixture.job(at: .at(1))
            try await fixture.say("to cleo", to: .cleo, at: .at(100))
            fixture.store.acknowledge(.ada, upTo: 1)
            try await fixture.say("to bob", to: .bob, at: .at(0))
            let attempt = PushAttempt(failures: 1, expiry: job.attempt.expiry)
            try await fixture.store.settle(job, as: action, attempt: attempt, at: .at(2))
            try await leaveBobs(fixture, at: 3)
            #expect(try await fixture.job(at: .at(100)).user == .cleo)
        }
    }

    @Test func `a rehearsed or failed write leaves no place taken, and the order as it was`() async throws {
        let epochs = Epochs()
        let configure: StoreFixture.Configuration = { $0.makeEpoch = { epochs.next() } }
        try await withPhones([.cleo, .bob, .ada], configure) { fixture in
            try await fixture.publish("shouted", "one", to: .cleo, at: .at(0))
            let entry = try fixture.entry("shouted", to: [.ada, .bob, .cleo])
            _ = try await fixture.store.rehearse(Publication(publisher: "b", entries: [entry], now: .at(0)))
            try await fixture.publish("shouted", "two", to: .ada, at: .at(0))
            epochs.fail()  // the database refuses an inbox without an epoch
            await #expect(throws: StoreError.self) {
                try await fixture.publish("shouted", "never", to: .bob, .user("stranger"), at: .at(0))
            }
            epochs.mend()
            try await fixture.publish("shouted", "three", to: .bob, at: .at(0))
            let jobs = try await fixture.store.leasePushJobs(at: .at(0)).jobs
            #expect(jobs.map(\.body) == ["one", "two", "three"])
            #expect(try await places(fixture).count == 3)
        }
    }

    @Test func `a job without room in its moment leaves with the next, behind the jobs that had room`() async throws {
        try await withPhones([.cleo, .bob, .ada]) { fixture in
            try await fixture.publish("shouted", "in time", to: .cleo, at: .at(0))
            let full = QueuePlace.last(of: .apns, at: .at(0))
            let other = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
            try await other.write { db in
                try db.execute(
                    sql: "INSERT INTO push_job (place, number, is_fallback, failures, expiry) VALUES (?, ?, 0, 0, 0)",
                    arguments: [full.rawValue, PushJobNumber(device: 999, notification: 1).rawValue])
            }
            try other.close()
            // Another moment, so that the queue is asked for the last place of this one.
            try await fixture.publish("shouted", "later", to: .cleo, at: .at(9))
            try await fixture.publish("shouted", "no room", to: .bob, at: .at(0))
            try await fixture.publish("shouted", "none either", to: .ada, at: .at(0))
            let due = try #require(fixture.commits.last?.nextPushDue[.apns])
            #expect(due == full.next.availableAt)
            let first = try await fixture.store.leasePushJobs(at: .at(0))
            #expect(first.jobs.map(\.body) == ["in time"])
            #expect(first.nextDue == due)
            #expect(try await fixture.store.leasePushJobs(at: due).jobs.map(\.body) == ["no room", "none either"])
        }
    }
}
