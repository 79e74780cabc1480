import Deliveries
import Foundation
import GRDB
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Synchronization

/// A small store with some of everything, made once; its file is there again for each input.
final class SoundStore: Sendable {
    static let shared = SoundStore()
    static let now = Timestamp(milliseconds: 1_764_000_000_000)
    static let options: SQLiteStoreOptions = {
        var options = SQLiteStoreOptions(makeEpoch: { "epoch" }, isLive: { _ in false })
        options.readers = 1
        options.acknowledgementDelay = .zero
        options.lockTimeout = .seconds(1)
        return options
    }()

    private static let catalog: Catalog = {
        let yaml = """
            catalog: made
            actor: [id]
            events:
              said: {routes: [{to: people, type: SAID}]}
              added: {routes: [{to: people, type: ADDED}]}
              asked: {routes: [{to: people, type: ASKED}]}
            types:
              SAID: {text: "{{text}}", group: "g", groupText: "{{count}}", push: {title: Said, body: "{{text}}"}}
              ADDED:
                text: "{{actor}} added {{things}}"
                batch: {window: 5m, by: [actor.id], count: things, nouns: {one: a thing, other: "{{count}} things"}}
                push: {when: always, title: Added, body: "{{things}}", perHour: 1}
              ASKED: {text: "{{text}}", question: {actions: {yes: "Yes", no: "No"}, asks: true, answerBy: 1h, default: no}}
            """
        guard let catalog = try? Catalog(yaml: yaml, file: "made.yaml") else { fatalError("a catalog that is none") }
        return catalog
    }()

    let folder: String
    private let file: Data
    /// Each column with a value, of each table.
    private let columns: [(table: String, name: String)]

    private var path: String { folder + "/belfry.sqlite" }

    private init() {
        // In memory, where there is such a place: each input writes the file anew.
        let place = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm/" : NSTemporaryDirectory()
        folder = place + "belfry-fuzz-\(ProcessInfo.processInfo.processIdentifier)"
        let path = folder + "/belfry.sqlite"
        do {
            let store = try SQLiteStore(folder: folder, options: Self.options)
            Self.fill(store)
            StoreUse.wait { done in store.close { done(()) } }
            file = try Data(contentsOf: URL(fileURLWithPath: path))
            columns = try DatabaseQueue(path: path).read { db in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT tables.name AS t, columns.name AS c FROM sqlite_schema AS tables
                        JOIN pragma_table_info(tables.name) AS columns
                        WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite%' ORDER BY 1, 2
                        """
                )
                .map { (table: $0["t"], name: $0["c"]) }
                .filter { try Int.fetchOne(db, sql: "SELECT count(\($0.name)) FROM \($0.table)") ?? 0 > 0 }
            }
        } catch {
            fatalError("no store to damage: \(error)")
        }
        let folder = folder
        // libFuzzer ends with `exit`.
        Self.removed.withLock { $0 = folder }
        atexit { SoundStore.removed.withLock { try? FileManager.default.removeItem(atPath: $0) } }
    }

    private static let removed = Mutex("")

    // MARK: Its content

    static func entry(_ type: String, _ number: Int, to users: [UserID]) -> Publication.Entry {
        let event = Event(
            type: type, key: "key-\(number)", actor: ["id": "renee"], to: [.init(name: "people", users: users)],
            data: ["text": .string("text \(number)"), "things": [1, 2]])
        guard let routed = try? catalog.route(event, at: now) else { fatalError("an event without a route") }
        return Publication.Entry(routed: routed, id: "event-\(number)", fingerprint: UInt64(number))
    }

    private static func fill(_ store: SQLiteStore) {
        let people = ["ada", "bob", "cleo"].compactMap { UserID($0) }
        func done<Answer: Sendable>(_ call: (@escaping @Sendable (Result<Answer, StoreError>) -> Void) -> Void) {
            guard case .success = StoreUse.wait(call) else { fatalError("a sound store that fails") }
        }
        let json = Array(#"{"locale":"de"}"#.utf8)
        guard let profile = json.withOwnMemory({ try? UserProfile(json: JSONNode(parsing: $0)) }) else {
            fatalError("a profile that is none")
        }
        for user in people {
            done { store.write(profile, of: user, at: now, completion: $0) }
            let device = Device(id: "phone", provider: .apns, token: "token-\(user.name)", registeredAt: now)
            done { store.register(device, for: user, completion: $0) }
        }
        done { store.replaceMembers(of: "room:7", with: people, completion: $0) }
        for (number, type) in ["said", "said", "added", "asked", "added"].enumerated() {
            let publication = Publication(publisher: "backend", entries: [entry(type, number, to: people)], now: now)
            done { store.publish(publication, completion: $0) }
        }
        done { store.apply(.read(.upTo(1)), for: people[0], at: now, completion: $0) }
        let items = (1...3).map { number in
            FeedItem(
                feed: "posts", json: Array("{\"n\":\(number)}".utf8), publishedAt: now, id: "\(number)", tags: ["t"])
        }
        done { store.append(FeedPublication(feed: "posts", items: items, length: 100, now: now), completion: $0) }
    }

    // MARK: Damage

    /// Puts the sound file into its place, and nothing beside it.
    func restore() {
        do {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
                try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
            }
            try file.write(to: URL(fileURLWithPath: path))
        } catch {
            fatalError("the file cannot be put back: \(error)")
        }
    }

    func damageBytes(_ choices: inout Choices) {
        var bytes = file
        for _ in 0...choices.number(below: 8) {
            // Beginnings of pages say most.
            let page = (choices.number(below: 256) << 8 | choices.number(below: 256)) % (bytes.count / 4_096)
            let offset = choices.number(below: 16) << 8 | choices.number(below: 256)
            let place = page * 4_096 + offset
            switch choices.number(below: 4) {
            case 0: bytes[place] ^= 1 << UInt8(choices.number(below: 8))
            case 1: bytes[place] = choices.pick([0, 0xFF, 0x7F, 0x80])
            case 2:
                bytes.replaceSubrange(
                    place..<min(place + 16, bytes.count), with: Data(count: min(16, bytes.count - place)))
            default: bytes = bytes.prefix(max(place, 4_096))
            }
        }
        guard (try? bytes.write(to: URL(fileURLWithPath: path))) != nil else { fatalError("no room for a file") }
    }

    /// Writes other values into columns, past the store.
    func damageValues(_ choices: inout Choices) {
        let changes = (0...choices.number(below: 24)).map { _ in
            let column = columns[(choices.number(below: 256) << 8 | choices.number(below: 256)) % columns.count]
            return (column, choices.number(below: 4), Self.value(&choices))
        }
        do {
            var configuration = Configuration()
            configuration.prepareDatabase { db in
                try db.execute(
                    sql: "PRAGMA journal_mode = DELETE; PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON")
            }
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            queue.writeWithoutTransaction { db in
                for (column, row, value) in changes {
                    // A table without row ids, or a column that takes no such value.
                    try? db.execute(
                        sql: """
                            UPDATE \(column.table) SET \(column.name) = ?
                            WHERE rowid = (SELECT rowid FROM \(column.table) LIMIT 1 OFFSET ?)
                            """, arguments: [value, row])
                }
            }
            try queue.close()
        } catch {
            fatalError("a sound file that is not opened: \(error)")
        }
    }

    private static func value(_ choices: inout Choices) -> DatabaseValue {
        switch choices.number(below: 4) {
        case 0:
            let numbers: [Int64] = [
                0, 1, -1, 2, 7, .max, .min, 1 << 34, 1_764_000_000_000, 255, 65_536, 253_402_300_800_000,
            ]
            return choices.pick(numbers).databaseValue
        case 1:
            return choices.text(["", "ada", "epoch", "event-1", "{}", "[]", "null", "room:7", "\u{1F}a\u{1F}b"])
                .databaseValue
        case 2:
            let members = [
                "tallies", "samples", "earliest", "latest", "title", "body", "urgency", "badge", "data", "mutes",
            ]
            let json = choices.json(members: members, texts: ["photo", "normal", "unread", "9223372036854775807"])
            return choices.isOne(in: 2)
                ? Data(json.encoded).databaseValue : String(decoding: json.encoded, as: UTF8.self).databaseValue
        default: return Data(choices.bytes(upTo: 40)).databaseValue
        }
    }
}
