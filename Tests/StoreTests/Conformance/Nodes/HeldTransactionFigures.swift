import Foundation
import Inbox
import Postgres
import Push
import Store
import Testing

private let seconds = ProcessInfo.processInfo.environment["BELFRY_HELD_SECONDS"].flatMap(Double.init)

/// How fast pushes leave beside a transaction that somebody holds open: nothing that went can be cleared away.
///
/// `BELFRY_HELD_SECONDS` says for how long. It prints figures and proves nothing.
@Suite(.enabled(if: seconds != nil && Engine.tested.contains(.postgres)), .serialized)
struct HeldTransactionFigures {
    private static let people = 2_000
    private static let together = 100

    @Test(arguments: [false, true]) func `pushes that leave`(beside: Bool) async throws {
        try await Engine.$current.withValue(.postgres) {
            try await withStore { fixture in
                let users = (0..<Self.people).map { UserID.user("user-\($0)") }
                for user in users { try await fixture.store.register(.phone(token: user.name), for: user) }
                let other = beside ? try PostgresConnection(PostgresAddress(try #require(StoreServer.url))) : nil
                try other?.run("BEGIN ISOLATION LEVEL REPEATABLE READ")
                try other?.run("SELECT pg_current_xact_id(), count(*) FROM pg_class")
                try await measure(fixture, users)
                try other?.run("COMMIT")
            }
        }
    }

    private func measure(_ fixture: StoreFixture, _ users: [UserID]) async throws {
        let clock = ContinuousClock()
        let began = clock.now
        let length = seconds ?? 0
        var (next, pushed, told) = (0, 0, 1)
        var spent: (publish: Duration, lease: Duration, settle: Duration) = (.zero, .zero, .zero)
        while clock.now - began < .seconds(length) {
            let now = Timestamp.at(0) + (clock.now - began)
            let some = (0..<Self.together).map { users[(next + $0) % users.count] }
            next += Self.together
            spent.publish += try await clock.measure {
                _ = try await fixture.publish(fixture.entry("shouted", to: some), at: now)
            }
            var jobs: [PushJob] = []
            spent.lease += try await clock.measure {
                jobs = try await fixture.store.leasePushJobs(Self.together, at: now).jobs
            }
            let outcomes = jobs.map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }
            spent.settle += try await clock.measure { try await fixture.store.settle(outcomes, at: now) }
            pushed += jobs.count
            guard clock.now - began > .seconds(length / 6 * Double(told)) else { continue }
            let all = spent.publish + spent.lease + spent.settle
            print(
                "part \(told): \(pushed * 1_000 / Int(all / .milliseconds(1))) pushes/s; each:",
                "publish \(spent.publish / pushed), lease \(spent.lease / pushed), settle \(spent.settle / pushed)")
            (pushed, told, spent) = (0, told + 1, (.zero, .zero, .zero))
        }
    }
}
