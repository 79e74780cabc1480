import Inbox
import Push
import SQLiteStore
import Store
import Support
import Testing

/// Random streams of everything that can happen to pushes, crashes among it, against a model of what people were told.
@Suite(.everyEngine) struct RandomPushTests {
    @Test(arguments: Seeds.some(2, of: 16))
    func `every push arrives once or was not needed, and phones show the truth`(_ seed: UInt64) async throws {
        let stream = try await PushStream(seed: seed)
        for _ in 0..<250 { try await stream.step() }
        try await stream.drain()
        for notification in stream.notifications.values where !notification.isCancelled {
            #expect(notification.isDone, "notification \(notification.text) was lost")
        }
        // Somebody looks at everything: nothing stays on a screen, and all icons say 0.
        for user in PushStream.users {
            try await stream.store.apply(.read(.upTo(.max)), for: user, at: stream.now)
        }
        try await stream.drain()
        for (name, phone) in stream.phones {
            #expect(phone.screen.isEmpty, "\(name)")
            #expect(phone.badge ?? 0 == 0, "\(name)")
        }
        #expect(try await stream.fixture.statistics().pushJobs == 0)
        await stream.fixture.remove()
    }
}

/// One store, its phones, and what must be true of them.
private final class PushStream {
    struct Told {
        let text: String
        let isFallback: Bool
        /// Acknowledged, read or removed before it was pushed.
        var isCancelled = false
        /// Accepted or given up.
        var isDone = false
        /// The collapse id under which it was handed out.
        var collapseID: String?
    }

    struct Phone {
        var screen: Set<String> = []
        var badge: Int64?
    }

    static let users: [UserID] = [.ada, .bob]

    private(set) var fixture: StoreFixture
    private(set) var now = Timestamp.at(0)
    /// By device and notification.
    private(set) var notifications: [String: Told] = [:]
    private(set) var phones: [String: Phone] = [:]
    private var random: SeededRandom
    private var leased: [String: PushJob] = [:]
    private var published = 0

    var store: any Store { fixture.store }

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        fixture = try StoreFixture()
        for user in Self.users {
            for number in 1...2 {
                let name = "\(user.name)-\(number)"
                try await fixture.store.register(.phone(name, token: name), for: user)
                phones[name] = Phone()
            }
            if user == .bob { fixture.live.connect(user) }
        }
    }

    private func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    func step() async throws {
        now = now + .seconds(Int64.random(in: 0...(chance(20) ? 4_000 : 3), using: &random))
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7: try await publish()
        case 7: try await acknowledge()
        case 8..<10: try await dismiss()
        case 10..<14: try await lease()
        case 14..<19: try await settle()
        default: try await crash()
        }
    }

    private func publish() async throws {
        let type = ["said", "shouted", "upvoted"][Int.random(in: 0..<3, using: &random)]
        let users = Self.users.filter { _ in !chance(3) }
        published += 1
        let text = "\(published)"
        _ = try await fixture.publish(fixture.entry(type, text, to: users), at: now)
        for user in users {
            let id = try #require(try await fixture.ids(of: user).first)
            for name in phones.keys where name.hasPrefix(user.name) {
                notifications[key(name, id)] = Told(text: text, isFallback: type != "shouted")
            }
        }
    }

    private func key(_ device: String, _ id: NotificationID) -> String { "\(device) \(id.text)" }

    private func cancel(
        _ ids: [NotificationID], of user: UserID, where isMeant: (Told) -> Bool = { _ in true }
    ) {
        for id in ids {
            for name in phones.keys where name.hasPrefix(user.name) {
                guard let told = notifications[key(name, id)], !told.isDone, isMeant(told) else { continue }
                notifications[key(name, id)]?.isCancelled = true
            }
        }
    }

    private func acknowledge() async throws {
        let user = Self.users[Int.random(in: 0..<2, using: &random)]
        let ids = try await fixture.ids(of: user)
        guard let upTo = ids.randomElement(using: &random) else { return }
        store.acknowledge(user, upTo: upTo.sequence)
        cancel(ids.filter { $0.sequence <= upTo.sequence }, of: user) { $0.isFallback }
    }

    private func dismiss() async throws {
        let user = Self.users[Int.random(in: 0..<2, using: &random)]
        let ids = try await fixture.ids(of: user).filter { _ in chance(3) }
        try await store.apply(chance(3) ? .remove(.ids(ids)) : .read(.ids(ids)), for: user, at: now)
        cancel(ids, of: user)
    }

    private func lease() async throws {
        let jobs = try await store.leasePushJobs(Int.random(in: 1...4, using: &random), at: now).jobs
        for job in jobs {
            // A lease that is over may be handed out anew; two at a time never.
            leased = leased.filter { $0.value.device.id != job.device.id || $0.value.parts[0].id > job.parts[0].id }
            #expect(leased[job.device.id] == nil)
            leased[job.device.id] = job
            try await check(job)
        }
    }

    private func check(_ job: PushJob) async throws {
        let state = try await store.state(of: job.user)
        #expect(job.message.badge == state.unread)
        #expect(job.message.content == nil || job.message.count == job.parts.count)
        for id in job.parts.compactMap(\.notification) {
            let told = try #require(notifications[key(job.device.id, id)])
            #expect(!told.isCancelled && !told.isDone, "\(told.text) is pushed without need")
            #expect(told.collapseID == nil || told.collapseID == job.message.collapseID, "\(told.text)")
            notifications[key(job.device.id, id)]?.collapseID = job.message.collapseID
        }
    }

    private func settle() async throws {
        guard let name = leased.keys.sorted().randomElement(using: &random), let job = leased.removeValue(forKey: name)
        else { return }
        if chance(4) {
            let attempt = PushAttempt(failures: job.attempt.failures + 1, expiry: job.attempt.expiry)
            let next = now + .seconds(Int64.random(in: 1...40, using: &random))
            try await store.settle(job, as: .retry(at: next), attempt: attempt, at: now)
        } else if job.message.content != nil, chance(10) {
            try await store.settle(job, as: .abandon(reason: "no"), at: now)
            for id in job.parts.compactMap(\.notification) { notifications[key(name, id)]?.isDone = true }
        } else {
            var jobs = [job]
            // Several answers often come together.
            for other in leased.keys.sorted() where chance(2) {
                jobs += leased.removeValue(forKey: other).map { [$0] } ?? []
            }
            try await accept(jobs)
        }
    }

    private func accept(_ jobs: [PushJob]) async throws {
        for job in jobs {
            let name = job.device.id
            phones[name]?.badge = job.message.badge
            phones[name]?.screen.subtract(job.message.withdrawn)
            if job.message.content != nil { phones[name]?.screen.insert(job.message.collapseID) }
        }
        try await store.settle(
            jobs.map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }, at: now)
        for job in jobs {
            for id in job.parts.compactMap(\.notification) { notifications[key(job.device.id, id)]?.isDone = true }
        }
    }

    /// The process ends with everything that was on its way.
    private func crash() async throws {
        leased = [:]
        fixture = try await fixture.reopened()
        fixture.live.connect(.bob)
    }

    /// All providers answer from now on, and time goes by until nothing is left.
    func drain() async throws {
        for _ in 0..<2_000 {
            try await accept(leased.values.sorted { $0.lease < $1.lease })
            leased = [:]
            let answer = try await store.leasePushJobs(at: now)
            for job in answer.jobs {
                try await check(job)
                leased[job.device.id] = job
            }
            if answer.jobs.isEmpty {
                guard let next = answer.nextDue else { return }
                now = max(now, next)
            }
        }
        Issue.record("the queue does not run dry")
    }
}
