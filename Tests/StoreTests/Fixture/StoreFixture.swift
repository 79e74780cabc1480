import Deliveries
import Dispatch
import Foundation
import Inbox
import JSON
import PostgresStore
import Push
import ReferenceStore
import SQLiteStore
import Store
import Synchronization
import Testing

/// A store in a folder of its own, a catalog with one type of each sort, and a record of all commits.
final class StoreFixture: Sendable {
    typealias Configuration = (inout SQLiteStoreOptions) -> Void

    let folder: String
    let store: any Store
    private let committed = Mutex<[Commit]>([])
    /// What sessions of this process would have heard.
    let hearing = Hearing()
    /// Who is connected.
    let live = LiveUsers()
    let catalog: Catalog
    private let nextEvent = Mutex(0)
    /// Ids stand in the order of time, also when a folder is opened again.
    private let eventPrefix = "event-\(DispatchTime.now().uptimeNanoseconds)-"

    static let yaml = """
        catalog: tests
        actor: [id, username]
        events:
          said: {routes: [{to: people, type: SAID}]}
          shouted: {routes: [{to: people, type: SHOUTED}]}
          noted: {routes: [{to: people, type: NOTED}]}
          added: {routes: [{to: people, type: ADDED}, {to: others, type: NOTED}]}
          upvoted: {routes: [{to: people, type: UPVOTED}]}
          scored: {routes: [{to: people, type: SCORED}]}
        types:
          SAID: {text: "{{text}}", push: {when: fallback, title: Said, body: "{{text}}"}}
          SHOUTED: {text: "{{text}}", push: {when: always, title: Shouted, body: "{{text}}"}}
          NOTED: {text: "{{text}}"}
          UPVOTED:
            text: "{{text}}"
            push:
              {when: fallback, perHour: 1, title: Upvoted, body: "{{text}}", group: "{{actor}}",
               summary: {title: Upvoted, body: "{{count}} upvotes"}}
          SCORED: {text: "{{text}}", push: {when: always, title: Score, body: "{{text}}", replaceKey: "match 7"}}
          ADDED:
            text: "{{actor}} added {{things}}"
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {when: fallback, title: Added, body: "{{things}}"}
        """

    /// - Parameters:
    ///   - node: sets what only a node of several has.
    ///   - earlier: the closed store whose rows this one has; nil for a new store.
    init(
        folder: String? = nil, continuing earlier: MemoryStore? = nil, yaml: String = StoreFixture.yaml,
        _ configure: Configuration = { _ in }, node: (inout PostgresStoreOptions) -> Void = { _ in }
    ) throws {
        self.folder = folder ?? NSTemporaryDirectory() + "belfry-store-\(UUID().uuidString)"
        catalog = try Catalog(yaml: yaml, file: "tests.yaml")
        let live = live
        var options = SQLiteStoreOptions(makeEpoch: { UUID().uuidString }, isLive: { live.contains($0) })
        // The writer waits for more writes before it rests, and holds up a test's own statements meanwhile.
        options.restDelay = .milliseconds(50)
        configure(&options)
        switch Engine.current {
        case .sqlite: store = try SQLiteStore(folder: self.folder, options: options)
        case .postgres:
            var engine = PostgresStoreOptions(options.store)
            engine.maximumDevices = options.maximumDevices
            engine.waitingRows = options.waitingRows
            node(&engine)
            store = try StoreServer.store(self.folder, engine)
        case .memory:
            store = MemoryStore(options.store, maximumDevices: options.maximumDevices, continuing: earlier)
        }
        store.onCommit(
            { [weak self] commit in
                self?.committed.withLock { $0.append(commit) }
            }, tell: { [hearing] in hearing.hear($0) }, within: { $0() })
    }

    /// Closes the store and opens the folder again.
    func reopened(
        yaml: String = StoreFixture.yaml, _ configure: Configuration = { _ in }
    ) async throws -> StoreFixture {
        await store.close()
        return try StoreFixture(folder: folder, continuing: store as? MemoryStore, yaml: yaml, configure)
    }

    /// The store, for tests of this engine.
    var sqlite: SQLiteStore {
        guard let store = store as? SQLiteStore else { preconditionFailure("a test of SQLite runs with \(store)") }
        return store
    }

    /// Closes the store and removes its folder. Every test that opens a store ends so.
    func remove() async {
        await store.close()
        if store is PostgresStore { try? StoreServer.remove(folder) }
        // A folder that stays behind in the temporary one harms nobody.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Queues a write of the test's own.
    func write<Value: Sendable>(
        rows: Int = 1, isRehearsal: Bool = false,
        _ completion: @escaping @Sendable (Result<Value, StoreError>) -> Void,
        _ body: @escaping @Sendable (OpenTransaction) throws -> Result<Value, StoreError>
    ) {
        sqlite.write(rows: rows, isRehearsal: isRehearsal, completion, body)
    }

    // MARK: Publishing

    func entry(
        _ type: String, _ text: String = "hi", to users: [UserID], others: [UserID] = [], key: String? = nil,
        things: Int = 1, actor: String = "renee", occurredAt: Timestamp? = nil, notBefore: Timestamp? = nil,
        expiresAt: Timestamp? = nil, urgency: PushPolicy.Urgency? = nil, fingerprint: UInt64 = 7
    ) throws -> Publication.Entry {
        let event = Event(
            type: type, key: key, actor: ["id": .string(actor), "username": .string(actor)],
            to: [.init(name: "people", users: users), .init(name: "others", users: others)],
            data: ["text": .string(text), "things": .array((0..<things).map { .int(Int64($0)) })],
            occurredAt: occurredAt, notBefore: notBefore, expiresAt: expiresAt, urgency: urgency)
        let id = nextEvent.withLock { number in
            number += 1
            return "\(eventPrefix)\(100_000 + number)"
        }
        return Publication.Entry(routed: try catalog.route(event), id: id, fingerprint: fingerprint)
    }

    /// Any event, with recipients of any kind.
    func entry(_ event: Event, fingerprint: UInt64 = 7) throws -> Publication.Entry {
        let id = nextEvent.withLock { number in
            number += 1
            return "\(eventPrefix)\(100_000 + number)"
        }
        return Publication.Entry(routed: try catalog.route(event), id: id, fingerprint: fingerprint)
    }

    func publish(
        _ entries: Publication.Entry..., at now: Timestamp = .at(0), by publisher: String = "backend"
    ) async throws -> [PublishOutcome] {
        try await store.publish(Publication(publisher: publisher, entries: entries, now: now))
    }

    func publish(_ type: String, _ text: String, to users: UserID..., at now: Timestamp) async throws {
        _ = try await publish(entry(type, text, to: users), at: now)
    }

    func say(_ text: String, to users: UserID..., at now: Timestamp = .at(0)) async throws {
        _ = try await publish(entry("said", text, to: users), at: now)
    }

    @discardableResult
    func add(_ things: Int, to users: UserID..., at now: Timestamp = .at(0)) async throws -> PublishOutcome {
        try #require(try await publish(entry("added", to: users, things: things), at: now).first)
    }

    // MARK: Looking

    /// The only job that is due, on lease from now on.
    func job(of provider: Device.Provider = .apns, at now: Timestamp) async throws -> PushJob {
        let jobs = try await store.leasePushJobs(for: provider, at: now).jobs
        #expect(jobs.count == 1)
        return try #require(jobs.first)
    }

    /// All commits so far that changed something.
    var commits: [Commit] { committed.withLock { $0 } }

    func texts(of user: UserID) async throws -> [String] { try await store.page(of: user).texts }

    func ids(of user: UserID) async throws -> [NotificationID] {
        try await store.page(of: user).notifications.map(\.id)
    }

    /// The changes of one inbox, in the order in which commits told them.
    func told(to user: UserID) -> [InboxChange] {
        commits.flatMap(\.inboxes).filter { $0.user == user }.map(\.change)
    }
}

/// The connected people, for as long as a test says so.
final class LiveUsers: Sendable {
    private let users = Mutex<Set<UserID>>([])

    func connect(_ user: UserID) { users.withLock { _ = $0.insert(user) } }
    func contains(_ user: UserID) -> Bool { users.withLock { $0.contains(user) } }
}

extension UserID {
    static let ada = user("ada")
    static let bob = user("bob")
    static let cleo = user("cleo")

    static func user(_ name: String) -> UserID {
        guard let user = UserID(name) else { preconditionFailure("a test's user id is too long") }
        return user
    }
}

extension Device {
    static func phone(_ id: String = "phone", token: String = "token-1", at time: Timestamp = .at(0)) -> Device {
        Device(id: id, provider: .apns, token: token, registeredAt: time)
    }
}

extension PushJob {
    /// The text that a lock screen shows below the title.
    var body: String { message.texts.body }
}

/// Runs a test against a fresh store and clears up behind it, whatever comes.
func withStore(
    yaml: String = StoreFixture.yaml, _ configure: StoreFixture.Configuration = { _ in },
    _ body: (StoreFixture) async throws -> Void
) async throws {
    let fixture = try StoreFixture(yaml: yaml, configure)
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
    await fixture.remove()
    try result.get()
}
