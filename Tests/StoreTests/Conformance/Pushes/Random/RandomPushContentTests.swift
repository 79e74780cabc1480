import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Support
import Testing

/// Random streams that change and remove notifications while their pushes wait, with restarts in between. A push must
/// say what people see in their inboxes at the moment when it leaves.
@Suite(.everyEngine) struct RandomPushContentTests {
    @Test(arguments: Seeds.some(2, of: 12))
    func `a push says what its notification says, and none leaves without one`(_ seed: UInt64) async throws {
        let stream = try await ContentStream(seed: seed)
        for _ in 0..<250 { try await stream.step() }
        #expect(stream.pushed > 30)
        await stream.fixture.remove()
    }
}

private final class ContentStream {
    private static let users: [UserID] = [.ada, .bob, .cleo]
    private static let types = ["said", "said", "added", "added", "gathered", "gathered", "upvoted"]

    private(set) var fixture: StoreFixture
    /// So many pushes have left.
    private(set) var pushed = 0
    private var random: SeededRandom
    private var now = Timestamp.at(0)
    private var published = 0

    private var store: any Store { fixture.store }

    init(seed: UInt64) async throws {
        random = SeededRandom(seed: seed)
        fixture = try StoreFixture(yaml: PushContentTests.yaml, Self.configure)
        for user in Self.users { try await register(user) }
    }

    private static func configure(_ options: inout SQLiteStoreOptions) { options.maximumRows = 8 }

    private func chance(_ count: Int) -> Bool { random.next(below: count) == 0 }
    private func pick<Element>(_ list: [Element]) -> Element { list[random.next(below: list.count)] }

    // MARK: Steps

    func step() async throws {
        now = now + .seconds(Int64(random.next(below: chance(20) ? 4_000 : 4)))
        let user = pick(Self.users)
        switch random.next(below: 24) {
        case 0..<9: try await publish()
        case 9..<11: try await patch(user)
        case 11..<13:
            _ = try await store.retract(
                "\(random.next(below: published + 1))", StoreFixture.catalogs(PushContentTests.yaml), at: now)
        case 13..<15: try await remove(user)
        case 15: try await store.trimInboxes(olderThan: now - .seconds(10))
        case 16: try await register(user)
        case 17: if chance(3) { try await erase(user) }
        case 18..<20: try await restart()
        default: try await lease()
        }
    }

    private func publish() async throws {
        var entries: [Publication.Entry] = []
        for _ in 0...random.next(below: 3) {
            published += 1
            let users = Self.users.filter { _ in !chance(3) }
            let later: Timestamp? = chance(3) ? now + .seconds(Int64(random.next(below: 12))) : nil
            entries.append(
                try fixture.entry(
                    pick(Self.types), "\(published)", to: users, key: "\(published)", notBefore: later))
        }
        _ = try await store.publish(Publication(publisher: "backend", entries: entries, now: now))
    }

    private func patch(_ user: UserID) async throws {
        published += 1
        _ = try await store.patch(
            NotificationPatch(
                user: user, type: pick(["SAID", "UPVOTED"]), actor: "renee", key: nil, publisher: "backend",
                fields: ["zeal": .string("\(published)")], now: now))
    }

    private func remove(_ user: UserID) async throws {
        let ids = try await fixture.ids(of: user)
        // All of the newest, so that what comes after a restart has their contents' rows.
        let gone = chance(2) ? Array(ids.prefix(3)) : ids.filter { _ in chance(3) }
        try await store.apply(chance(4) ? .read(.ids(gone)) : .remove(.ids(gone)), for: user, at: now)
    }

    private func register(_ user: UserID) async throws {
        let permission: Device.Permission = chance(3) ? .denied : .granted
        for number in 1...2 {
            let name = "\(user.name) \(number)"
            try await store.register(
                Device(id: name, provider: .apns, token: name, permission: permission, registeredAt: now), for: user)
        }
    }

    private func erase(_ user: UserID) async throws {
        try await store.erase(user)
        try await register(user)
    }

    private func restart() async throws {
        fixture = try await fixture.reopened(yaml: PushContentTests.yaml, Self.configure)
    }

    private func lease() async throws {
        for job in try await store.leasePushJobs(1 + random.next(below: 5), at: now).jobs {
            if job.message.content != nil { try await check(job) }
            let isRefused = chance(4)
            let attempt = PushAttempt(
                failures: job.attempt.failures + (isRefused ? 1 : 0), expiry: job.attempt.expiry)
            let action: PushAction = isRefused ? .retry(at: now + .seconds(5)) : .finish
            try await store.settle(job, as: action, attempt: attempt, at: now)
        }
    }

    private func check(_ job: PushJob) async throws {
        pushed += 1
        let inbox = try await store.page(of: job.user).notifications
        for part in job.parts { #expect(inbox.contains { $0.id == part.notification }) }
        let told = try #require(inbox.first { $0.id == job.message.notification })
        #expect(job.message.rev == told.rev)
        #expect(job.body == (job.message.count > 1 ? "\(job.message.count) upvotes" : told.content.push?.body))
    }
}
