import Deliveries
import Inbox
import JSON
import Postgres
import PostgresStore
import Push
import Store
import Synchronization

/// A store in a schema of its own, and loads for it.
final class StoreBench: Sendable {
    private let store: PostgresStore
    private let catalog: Catalog
    private let users: [UserID]
    private let withDevices: Bool
    private let commits = Mutex(0)
    private let nextEvent = Atomic(0)

    private static let yaml = """
        catalog: figures
        actor: [id, username]
        events:
          said: {routes: [{to: people, type: SAID}]}
          shouted: {routes: [{to: people, type: SHOUTED}]}
        types:
          SAID: {text: "{{text}}", push: {when: fallback, title: Said, body: "{{text}}"}}
          SHOUTED: {text: "{{text}}", push: {when: always, title: Shouted, body: "{{text}}"}}
        """

    init(_ url: String, schema: String, people: Int, withDevices: Bool) throws {
        let connection = try PostgresConnection(PostgresAddress(url))
        try connection.run(PostgresStatement(composed: "DROP SCHEMA IF EXISTS \(schema) CASCADE"))
        try connection.run(PostgresStatement(composed: "CREATE SCHEMA \(schema)"))
        connection.close()
        let rules = StoreOptions(makeEpoch: { "epoch" }, isLive: { _ in false })
        store = try PostgresStore(
            PostgresAddress(url + "&options=-csearch_path%3D\(schema)"), PostgresStoreOptions(rules))
        catalog = try Catalog(yaml: Self.yaml, file: "figures.yaml")
        users = (0..<people).compactMap { UserID("user-\($0)") }
        self.withDevices = withDevices
        store.onCommit({ [weak self] _ in self?.commits.withLock { $0 += 1 } }, tell: { _ in }, within: { $0() })
    }

    func close() async { await withCheckedContinuation { done in store.close { done.resume() } } }

    /// Gives everybody an inbox, and a device where they are to have one.
    func prepare() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for start in 0..<64 {
                group.addTask { [self] in
                    for place in stride(from: start, to: users.count, by: 64) { try await prepare(users[place], place) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func prepare(_ user: UserID, _ place: Int) async throws {
        let now = Timestamp(milliseconds: 1_700_000_000_000)
        guard withDevices else {
            _ = try await call { store.state(of: user, completion: $0) }
            return
        }
        let device = Device(id: "phone", provider: .apns, token: "token-\(place)", registeredAt: now)
        try await call { store.register(device, for: user, completion: $0) }
    }

    private func call<Value: Sendable>(
        _ body: (@escaping @Sendable (Result<Value, StoreError>) -> Void) -> Void
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { done in body { done.resume(with: $0) } }
    }

    private func entry(_ type: String = "said", to people: [UserID], withKey: Bool) throws -> Publication.Entry {
        let number = nextEvent.add(1, ordering: .relaxed).newValue
        let event = Event(
            type: type, key: withKey ? "key-\(number)" : nil, actor: ["id": "renee", "username": "renee"],
            to: [.init(name: "people", users: people)],
            data: ["text": "A text that is about as long as what people are mostly told"])
        return Publication.Entry(
            routed: try catalog.route(event), id: "event-\(1_000_000_000 + number)", fingerprint: UInt64(number))
    }

    private func publication(
        _ type: String = "said", to people: [UserID], withKey: Bool = false
    ) throws -> Publication {
        Publication(
            publisher: "backend", entries: [try entry(type, to: people, withKey: withKey)],
            now: Timestamp(milliseconds: 1_700_000_000_000))
    }

    /// - Returns: events a second, and how many a commit had.
    func publish(publishers: Int, for span: Duration, withKeys: Bool) async throws -> (rate: Double, group: Double) {
        let before = commits.withLock(\.self)
        let start = ContinuousClock.now
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<publishers {
                group.addTask { [self] in
                    var (count, place) = (0, number * 7919)
                    while ContinuousClock.now - start < span {
                        place = (place + 104_729) % users.count
                        let next = try publication(to: [users[place]], withKey: withKeys)
                        _ = try await call { store.publish(next, completion: $0) }
                        count += 1
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        return (Double(count) / seconds, Double(count) / Double(commits.withLock(\.self) - before))
    }

    /// - Returns: recipients a second.
    func fanOut() async throws -> Double {
        let next = try publication(to: users)
        let catalog = catalog
        let start = ContinuousClock.now
        let outcomes = try await call { store.publish(next, completion: $0) }
        guard let event = outcomes.first?.event else { return 0 }
        while true {
            let broadcast: Broadcast? = try await call { done in
                store.deliverPage(
                    of: event, at: Timestamp(milliseconds: 1_700_000_000_000),
                    route: { event in
                        do throws(EventProblem) { return .success(try catalog.route(event)) } catch {
                            return .failure(error)
                        }
                    }, completion: done)
            }
            if broadcast?.state != .working { break }
        }
        return Double(users.count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    /// Publishes to so many people at the same time, leases their pushes, and settles them.
    ///
    /// - Returns: how long each publish took.
    func push(_ count: Int) async throws -> [Duration] {
        let clock = ContinuousClock()
        let publishes = try await withThrowingTaskGroup(of: Duration.self) { group in
            for _ in 0..<count {
                let place = nextEvent.load(ordering: .relaxed) * 7919 % users.count
                let next = try publication("shouted", to: [users[place]])
                group.addTask { [self] in
                    try await clock.measure { _ = try await call { store.publish(next, completion: $0) } }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let now = Timestamp(milliseconds: 1_700_000_000_000)
        var left = count
        while left > 0 {
            let leased = try await call {
                store.leasePushJobs(count, for: .apns, at: now, until: now + .seconds(60), completion: $0)
            }.jobs
            let outcomes = leased.map { PushOutcome(job: $0, action: .finish, attempt: $0.attempt) }
            try await call { store.settle(outcomes, at: now, completion: $0) }
            left -= leased.count
        }
        return publishes
    }
}
