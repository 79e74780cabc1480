import Deliveries
import GRDB
import Inbox
import JSON
import Push
import ReferenceStore
import Store
import Support
import Synchronization

@testable import SQLiteStore

/// One random history, which two engines live through.
final class History {
    /// One of the writes of a transaction.
    struct Write {
        let name: String
        var keys: [EventKey] = []
        let perform: (OpenTransaction) throws -> Any
        /// Notes what the history goes on with.
        var then: (Any) -> Void = { _ in }
    }

    /// The time and the connected people, as the rules ask for them.
    private final class Surroundings: Sendable {
        let now = Mutex(Timestamp(milliseconds: 1_800_000_000_000))
        let live = Mutex<Set<UserID>>([])
    }

    static let names = ["ada", "bob", "cleo", "dan", "eve", "fay", "gil"]
    static let rooms = ["attic", "cellar"]
    private static let golf = AppName("golf") ?? .unnamed
    static let providers: [Device.Provider] = [.apns, .apns, .fcm, .webpush]

    let engines: TwoEngines
    let catalogs: CatalogSet
    var random: SeededRandom
    var events = 0
    /// Pushes to Live Activities that are under way.
    var activityJobs: [ActivityJob] = []
    /// The app of the next write or read: two apps have people, topics and feeds of the same names.
    private(set) var app = AppName.unnamed
    /// Work that goes on in later transactions.
    var edits: [TopicEdit] = []
    var broadcasts: [String] = []
    var erasing: [Int64] = []
    var leased: [PushJob] = []
    /// The names of the last transaction's writes.
    private(set) var told = ""
    private let surroundings = Surroundings()

    var now: Timestamp { surroundings.now.withLock { $0 } }

    init(_ db: Database, seed: UInt64) throws {
        catalogs = try CatalogSet([Catalog(yaml: HistoryCatalog.yaml, file: "tests.yaml")])
        var random = SeededRandom(seed: seed)
        let surroundings = surroundings
        let hasClock = random.next(below: 2) == 0
        let log = [8, 40, 1_000][random.next(below: 3)]
        let (rows, look) = (random.next(below: 2) == 0 ? 12 : 0, random.next(below: 2) == 0)
        engines = try TwoEngines(db) {
            let epochs = Mutex(0)
            var options = SQLiteStoreOptions(
                makeEpoch: {
                    epochs.withLock { number in
                        number += 1
                        return "epoch-\(number)"
                    }
                }, isLive: { user in surroundings.live.withLock { $0.contains(user) } })
            if hasClock { options.clock = { surroundings.now.withLock { $0 } } }
            // Which inboxes a full cache lets go is left to chance, and with it the order of a broadcast's pages.
            (options.cachedInboxes, options.changeLogLength) = (1_000, Int64(log))
            (options.maximumRows, options.readCountsAsLook) = (Int64(rows), look)
            (options.recipientsPerPage, options.marksKept) = (4, 6)
            options.keyLifetime = .seconds(6 * 3_600)
            options.trailLifetime = .seconds(12 * 3_600)
            return options
        }
        self.random = random
    }

    func chance(_ count: Int) -> Bool { random.next(below: count) == 0 }
    func pick<Value>(_ values: [Value]) -> Value { values[random.next(below: values.count)] }
    func user() -> UserID { UserID(known: pick(Self.names), in: app) ?? Self.nobody }
    func users() -> [UserID] { Self.names.filter { _ in chance(4) }.compactMap { UserID(known: $0, in: app) } }
    func chooseApp() { app = chance(3) ? Self.golf : .unnamed }
    func topic() -> String { app.key(pick(["cats", "dogs"])) }
    func publisher() -> String { app.key(pick(["backend", "other"])) }
    func feed() -> String { app.key("room:\(pick(Self.rooms))") }
    private static let nobody: UserID = {
        guard let user = UserID(known: "nobody") else { preconditionFailure("no user id") }
        return user
    }()

    func compareRows() throws { try engines.compareRows() }

    /// Lets time go on, and performs one transaction.
    func step() throws {
        let seconds = Int64(random.next(below: chance(25) ? 30_000 : chance(5) ? 700 : 8))
        surroundings.now.withLock { $0 = $0 + .milliseconds(seconds * 1_000 + Int64(random.next(below: 3))) }
        if chance(6) {
            let user = user()
            surroundings.live.withLock { if $0.remove(user) == nil { $0.insert(user) } }
        }
        // What the writer remembers must never differ from the rows.
        if chance(10) { try engines.forget() }
        if chance(60) {
            (leased, told) = ([], "crash")
            return try engines.crash()
        }
        let writes = try (0..<(chance(4) ? 1 + random.next(below: 4) : 1)).map { _ in
            chooseApp()
            return try write()
        }
        told = writes.map(\.name).joined(separator: ", ")
        if chance(30) {
            told += ", undone"
            do {
                _ =
                    try engines.commit { open in
                        try perform(writes, open)
                        throw TwoEngines.Undo()
                    } as [Any]
            } catch is TwoEngines.Undo {}
            return
        }
        if writes.count == 1, chance(20) {
            told += ", rehearsed"
            return try engines.rehearse { try perform(writes, $0) }
        }
        let answers = try engines.commit { try perform(writes, $0) }
        for (write, answer) in zip(writes, answers) { write.then(answer) }
    }

    @discardableResult
    private func perform(_ writes: [Write], _ open: OpenTransaction) throws -> [Any] {
        try open.lookUpKeys(writes.flatMap(\.keys))
        return try writes.map { try $0.perform(open) }
    }
}
