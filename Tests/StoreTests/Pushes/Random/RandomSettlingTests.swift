import GRDB
import Inbox
import Push
import Support
import Testing

@testable import Deliveries
@testable import SQLiteStore
@testable import Store

/// Two stores to which the same happens, but for how outcomes reach them: in one call, or in a call each.
struct RandomSettlingTests {
    @Test(arguments: Seeds.some(3, of: 12))
    func `outcomes leave the same behind whether they come together or one by one`(_ seed: UInt64) async throws {
        let stream = try await SettlingStream(seed: seed)
        for _ in 0..<250 { try await stream.step() }
        #expect(stream.mostAccepted > 3)
        #expect(stream.cancelled > 0)
        await stream.remove()
    }
}

private final class SettlingStream {
    /// What outcomes write.
    private struct Left {
        /// In the order in which they leave. Within a moment they count on from the last one that is there, which is
        /// another if that goes first: their turns are left out.
        let jobs: [[String: DatabaseValue]]
        let marks: [Row]
        let badges: [Row]
        let steps: [Row]

        init(_ db: Database) throws {
            jobs = try Row.fetchAll(db, sql: "SELECT * FROM push_job ORDER BY place").map { row in
                var columns = Dictionary(uniqueKeysWithValues: row.map { ($0.0, $0.1) })
                columns["place"] = QueuePlace(rawValue: row["place"]).lastOfMoment.rawValue.databaseValue
                return columns
            }
            marks = try Row.fetchAll(db, sql: "SELECT * FROM push_mark ORDER BY device")
            badges = try Row.fetchAll(
                db, sql: "SELECT row, provider, token, badge, badge_rule FROM device ORDER BY row")
            steps = try Row.fetchAll(
                db,
                sql: """
                    SELECT inbox, notification, device, at, kind, detail, place, provider FROM trail_step
                    ORDER BY inbox, notification, device, number
                    """)
        }
    }

    private static let users: [UserID] = [.ada, .bob, .cleo, .user("dora")]

    private let together: StoreFixture
    private let oneByOne: StoreFixture
    private var random: SeededRandom
    private var now = Timestamp.at(0)
    /// The same pushes, as either store has handed them out.
    private var leased: [(together: PushJob, oneByOne: PushJob)] = []
    private var published = 0
    /// So many accepted pushes at most have come together.
    private(set) var mostAccepted = 0
    /// So many that came together were of notifications that had been read since.
    private(set) var cancelled = 0
    private var read: Set<NotificationID> = []

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        func fixture() throws -> StoreFixture {
            let epochs = Epochs()
            return try StoreFixture(yaml: QuietTypes.yaml) { $0.makeEpoch = { epochs.next() } }
        }
        (together, oneByOne) = (try fixture(), try fixture())
        for user in Self.users {
            for number in 0..<2 { try await register("phone-\(number)", of: user) }
        }
        for fixture in [together, oneByOne] { fixture.live.connect(.bob) }
    }

    func remove() async {
        await together.remove()
        await oneByOne.remove()
    }

    private func chance(_ count: Int) -> Bool { random.next(below: count) == 0 }
    private func pick<Element>(_ list: [Element]) -> Element { list[random.next(below: list.count)] }

    private func both(_ body: (StoreFixture) async throws -> Void) async throws {
        try await body(together)
        try await body(oneByOne)
    }

    // MARK: Steps

    func step() async throws {
        now = now + .seconds(Int64(random.next(below: chance(20) ? 4_000 : 4)))
        let user = pick(Self.users)
        switch random.next(below: 20) {
        case 0..<7: try await publish()
        case 7:
            let seq = Int64(random.next(below: published + 1))
            try await both { fixture in fixture.store.acknowledge(user, upTo: seq, at: now) }
        case 8: try await dismiss(user)
        case 9: if chance(2) { try await register("phone-\(random.next(below: 2))", of: user) }
        case 10..<15: try await lease()
        default: try await settle()
        }
    }

    private func publish() async throws {
        published += 1
        let type = pick(["said", "said", "shouted", "added", "upvoted", "scored"])
        let users = Self.users.filter { _ in !chance(3) }
        let expiresAt: Timestamp? = chance(6) ? now + .seconds(20) : nil
        try await both { fixture in
            _ = try await fixture.publish(
                fixture.entry(type, "\(published)", to: users, expiresAt: expiresAt), at: now)
        }
    }

    private func dismiss(_ user: UserID) async throws {
        let ids = try await together.ids(of: user).filter { _ in chance(3) }
        read.formUnion(ids)
        let command: InboxCommand = chance(3) ? .remove(.ids(ids)) : .read(.ids(ids))
        try await both { fixture in try await fixture.store.apply(command, for: user, at: now) }
    }

    private func register(_ name: String, of user: UserID) async throws {
        // A token that another person has moves to this one.
        let token = chance(8) ? "shared" : "\(user.name) \(name) \(random.next(below: 2))"
        let device = Device(id: name, provider: chance(6) ? .fcm : .apns, token: token, registeredAt: now)
        try await both { fixture in try await fixture.store.register(device, for: user) }
    }

    private func lease() async throws {
        let limit = 1 + random.next(below: 8)
        for provider in [Device.Provider.apns, .fcm] {
            let jobs = try await together.store.leasePushJobs(limit, for: provider, at: now).jobs
            let same = try await oneByOne.store.leasePushJobs(limit, for: provider, at: now).jobs
            try #require(jobs.map(Self.told) == same.map(Self.told))
            leased += zip(jobs, same).map { (together: $0, oneByOne: $1) }
        }
    }

    private static func told(_ job: PushJob) -> [String] {
        [job.user.name, job.device.id, job.message.collapseID, "\(job.message.badge)"]
            + (job.message.content == nil ? [] : [job.body]) + job.message.withdrawn
    }

    /// All of one provider, as they come to the store.
    private func settle() async throws {
        guard !leased.isEmpty else { return }
        if chance(3) { try await dismiss(pick(leased).together.user) }
        let provider = pick(leased).together.device.provider
        var outcomes: [(together: PushOutcome, oneByOne: PushOutcome)] = []
        leased.removeAll { jobs in
            guard jobs.together.device.provider == provider, !chance(5) else { return false }
            let action = someAction()
            func outcome(_ job: PushJob) -> PushOutcome {
                let failures = job.attempt.failures + (action == .retry(at: now + .seconds(3)) ? 1 : 0)
                let attempt = PushAttempt(failures: failures, expiry: job.attempt.expiry)
                return PushOutcome(job: job, action: action, attempt: attempt)
            }
            outcomes.append((together: outcome(jobs.together), oneByOne: outcome(jobs.oneByOne)))
            return true
        }
        guard !outcomes.isEmpty else { return }
        outcomes.shuffle(using: &random)
        try await together.store.settle(outcomes.map(\.together), at: now)
        for outcome in outcomes { try await oneByOne.store.settle(outcome.oneByOne, at: now) }
        let (some, same) = (try left(by: together), try left(by: oneByOne))
        try #require(some.jobs == same.jobs)
        try #require(some.marks == same.marks)
        try #require(some.badges == same.badges)
        try #require(some.steps == same.steps)
        let accepted = outcomes.map(\.together).filter { $0.action == .finish }
        mostAccepted = max(mostAccepted, accepted.count)
        if accepted.count > 1 {
            cancelled += accepted.compactMap(\.job.message.notification).filter { read.contains($0) }.count
        }
    }

    private func someAction() -> PushAction {
        switch random.next(below: 12) {
        case 0: .retry(at: now + .seconds(3))
        case 1: .retry(at: now)
        case 2: .abandon(reason: "no")
        case 3: chance(3) ? .forgetDevice : .finish
        default: .finish
        }
    }

    private func left(by fixture: StoreFixture) throws -> Left {
        let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
        defer { #expect(throws: Never.self) { try database.close() } }
        return try database.read(Left.init)
    }
}
