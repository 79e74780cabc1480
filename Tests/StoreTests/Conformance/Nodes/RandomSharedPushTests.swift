import Inbox
import Push
import Store
import Support
import Synchronization
import Testing

/// Histories of two stores that lease, settle, publish and lose their leases by turns, beside a plain model.
@Suite(.ifPostgresIsTested) struct RandomSharedPushTests {
    /// What a device is to get, and what is on its way to it.
    private struct Line {
        var waiting: [String] = []
        var lease: (id: Int64, end: Timestamp)?
        /// When the first one may leave, as it was put off.
        var notBefore = Timestamp.at(0)

        func isReady(at now: Timestamp) -> Bool {
            !waiting.isEmpty && lease.map { $0.end <= now } ?? true && notBefore <= now
        }
    }

    @Test(arguments: 1...6)
    func `each device gets its pushes in order, one at a time, whichever store hands them out`(
        _ seed: Int
    ) async throws {
        try await withTwoStores { first, second in
            var random = SeededRandom(seed: UInt64(seed))
            let users = (0..<5).map { UserID.user("user-\($0)") }
            for user in users { try await first.store.register(.phone(token: user.name), for: user) }
            var lines = Dictionary(uniqueKeysWithValues: users.map { ($0, Line()) })
            var held: [PushJob] = []
            var now = Timestamp.at(0)
            var published = 0
            for _ in 0..<120 {
                let fixture = Bool.random(using: &random) ? first : second
                now = now + .seconds(Int64.random(in: 0...4, using: &random))
                switch Int.random(in: 0..<8, using: &random) {
                case 0, 1, 2:
                    let user = users.randomElement(using: &random) ?? .ada
                    published += 1
                    try await fixture.publish("shouted", "\(published)", to: user, at: now)
                    lines[user]?.waiting.append("\(published)")
                case 3, 4:
                    let limit = Bool.random(using: &random) ? 100 : Int.random(in: 1...3, using: &random)
                    let jobs = try await fixture.store.leasePushJobs(limit, at: now, lease: .seconds(10)).jobs
                    let ready = users.filter { lines[$0]?.isReady(at: now) ?? false }
                    #expect(jobs.count == min(limit, ready.count))
                    for job in jobs {
                        #expect(ready.contains(job.user))
                        #expect(lines[job.user]?.waiting.first == job.body)
                        lines[job.user]?.lease = (job.lease, now + .seconds(10))
                        held.append(job)
                    }
                default:
                    guard let place = held.indices.randomElement(using: &random) else { continue }
                    let job = held.remove(at: place)
                    // A lease that is over is as good as that of a process that ended.
                    guard let lease = lines[job.user]?.lease, lease.id == job.lease, lease.end > now else { continue }
                    lines[job.user]?.lease = nil
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0:
                        let due = now + .seconds(Int64.random(in: 1...20, using: &random))
                        let attempt = PushAttempt(failures: job.attempt.failures + 1, expiry: job.attempt.expiry)
                        try await fixture.store.settle(job, as: .retry(at: due), attempt: attempt, at: now)
                        lines[job.user]?.notBefore = due
                    case 1: try await fixture.store.settle(job, as: .retry(at: now), at: now)
                    default:
                        try await fixture.store.settle(job, as: .finish, at: now)
                        lines[job.user]?.waiting.removeFirst()
                    }
                }
            }
            // All that is left leaves by and by.
            for _ in 0..<200 where lines.values.contains(where: { !$0.waiting.isEmpty }) {
                now = now + .seconds(30)
                for job in try await second.store.leasePushJobs(at: now).jobs {
                    #expect(lines[job.user]?.waiting.first == job.body)
                    lines[job.user]?.waiting.removeFirst()
                    try await first.store.settle(job, as: .finish, at: now)
                }
            }
            #expect(lines.values.allSatisfy { $0.waiting.isEmpty })
            #expect(try await first.statistics().pushJobs == 0)
        }
    }
}
