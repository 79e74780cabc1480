import GRDB
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Support

/// Random things that happen to a store, of every kind that leaves rows.
struct StoreHistory {
    static let yaml = """
        catalog: tests
        actor: [id, username]
        app: golf
        push: {digest: {title: Golf, body: {one: "one new thing", other: "{{count}} new things"}}}
        events:
          said: {routes: [{to: people, type: SAID}, {to: others, type: SAID}]}
          shouted: {routes: [{to: people, type: SHOUTED}]}
          upvoted: {routes: [{to: people, type: UPVOTED}]}
          added: {routes: [{to: people, type: ADDED}]}
          asked: {routes: [{to: people, type: ASKED}]}
          rang: {routes: [{to: people, type: RANG}]}
        types:
          SAID: {text: "{{text}}", push: {when: fallback, title: Said, body: "{{text}}"}}
          SHOUTED: {text: "{{text}}", push: {when: always, title: Shouted, body: "{{text}}"}}
          UPVOTED:
            text: "{{text}}"
            push:
              {when: always, perHour: 1, title: Upvoted, body: "{{text}}", group: "{{actor}}",
               summary: {title: Upvoted, body: "{{count}} upvotes"}}
          ADDED:
            text: "{{things}}"
            batch: {window: 5m, by: [actor.id], count: things, nouns: {one: one thing, other: "{{count}} things"}}
            push: {when: fallback, timing: each, title: Added, body: "{{things}}"}
          ASKED:
            text: "{{text}}"
            group: "{{actor}}"
            groupText: {one: a request, other: "{{count}} requests"}
            push: {when: always, title: Asked, body: "{{text}}"}
          RANG:
            text: "{{text}}"
            preferences: {inApp: never}
            push: {when: fallback, title: Rang, body: "{{text}}"}
        """

    static func configure(_ options: inout SQLiteStoreOptions) {
        options.recipientsPerPage = 6
        options.webhooks = .twoEndpoints
    }
    static let users = ["ada", "bob", "cleo", "dan", "eve ü"].map(UserID.user)

    let fixture: StoreFixture
    private(set) var now = Timestamp.at(0)
    private(set) var keys: [(entry: Publication.Entry, event: String)] = []
    private var random: SeededRandom
    private var events = 0

    init(_ fixture: StoreFixture, seed: UInt64) async throws {
        (self.fixture, random) = (fixture, SeededRandom(seed: seed))
        for user in Self.users.prefix(3) {
            try await fixture.store.register(.phone("phone", token: "token of \(user.name)"), for: user)
        }
        try await fixture.store.change(.quietHours(QuietHours(QuietTypes.hours)), for: .bob, at: now)
    }

    private var user: UserID { mutating get { Self.users[random.next(below: Self.users.count)] } }

    mutating func step() async throws {
        now = now + .seconds(Int64(random.next(below: 100)))
        let store = fixture.store
        switch random.next(below: 20) {
        case 0..<8: try await publish()
        case 8: try await store.apply(.read(.upTo(Int64(random.next(below: events + 1)))), for: user, at: now)
        case 9:
            let reader = user
            let ids = try await fixture.ids(of: reader).filter { _ in random.next(below: 3) == 0 }
            try await store.apply(
                random.next(below: 2) == 0 ? .read(.ids(ids)) : .remove(.ids(ids)), for: reader, at: now)
        case 10: try await store.apply(.seen(upTo: Int64(random.next(below: events + 1))), for: user, at: now)
        case 11..<14: try await push()
        case 14: try await feed()
        case 15: try await store.changeMembers(of: "room:\(random.next(below: 3))", adding: [user], removing: [user])
        case 16:
            let person = user
            try await store.write(
                UserProfile(json: ["email": .string("\(person.name.prefix(2))@example.com")]), of: person)
        case 17: try await broadcast()
        case 18:
            let person = user
            try await store.register(.phone("tablet", token: "\(events)", at: now), for: person)
        default:
            let edits = PreferenceEdits(
                types: [ExactText("SAID"): ChannelEdit(ChannelChoice(inApp: nil, push: random.next(below: 2) == 0))])
            try await store.change(.preferences(edits), for: user, at: now)
        }
    }

    private mutating func publish() async throws {
        let type = ["said", "shouted", "upvoted", "added", "asked", "rang"][random.next(below: 6)]
        let people = Self.users.filter { _ in random.next(below: 2) == 0 }
        events += 1
        let text = random.next(below: 5) == 0 ? "a\u{0}b \u{1F98A}" : "text \(events)"
        let entry = try fixture.entry(
            type, text, to: people, key: "key \(events)", things: 1 + random.next(below: 3),
            actor: random.next(below: 2) == 0 ? "renee" : "pete", fingerprint: UInt64(events) << 60 | 7)
        if let outcome = try await fixture.publish(entry, at: now).first { keys.append((entry, outcome.event)) }
    }

    private mutating func push() async throws {
        for job in try await fixture.store.leasePushJobs(2, at: now).jobs {
            let action: PushAction =
                random.next(below: 4) == 0 ? .retry(at: now + .seconds(600)) : .finish
            try await fixture.store.settle(job, as: action, at: now)
        }
    }

    private mutating func feed() async throws {
        let name = ["posts", "news"][random.next(below: 2)]
        let id = "item \(random.next(below: 6))"
        let item = FeedItem(
            feed: name, json: Array("{\"n\":\(events)}".utf8), publishedAt: now, id: id,
            author: random.next(below: 2) == 0 ? "ada" : nil,
            tags: ["a", "b"].filter { _ in random.next(below: 2) == 0 })
        switch random.next(below: 4) {
        case 0: _ = try await fixture.store.replace(item, at: now)
        case 1: _ = try await fixture.store.remove(id, from: name, at: now)
        default: try await fixture.store.append([item], to: name, at: now)
        }
        _ = try await fixture.store.markViewed(name, upTo: .head, by: user)
    }

    private mutating func broadcast() async throws {
        let named = (0..<8).map { UserID.user("guest \($0)") }
        let isForEverybody = random.next(below: 2) == 0
        let event = Event(
            type: "said", actor: ["id": "renee", "username": "renee"],
            to: [.init(name: "people", users: isForEverybody ? [.ada] : named)]
                + (isForEverybody ? [.init(name: "others", isEverybody: true)] : []), data: ["text": "to many"])
        let outcome = try await fixture.publish(fixture.entry(event), at: now)
        for _ in 0..<random.next(below: 3) {
            for one in outcome where one.broadcast != nil {
                try await fixture.store.deliverPage(of: one.event, by: fixture.catalog, at: now)
            }
        }
    }

    /// Makes sure that there is something of each kind, and closes the store.
    mutating func finish() async throws {
        let store = fixture.store
        for user in Self.users.prefix(3) {
            for type in ["shouted", "upvoted", "rang"] {
                _ = try await fixture.publish(fixture.entry(type, "last", to: [user]), at: now)
            }
            _ = try await fixture.publish(fixture.entry("upvoted", "really last", to: [user]), at: now)
        }
        _ = try await store.append(
            [FeedItem(feed: "tagged", json: [0x31], publishedAt: now, id: "t", tags: ["z"])], to: "tagged", at: now)
        _ = try await store.replace(
            FeedItem(feed: "tagged", json: [0x32], publishedAt: now, id: "t", tags: ["z"]), at: now)
        _ = try await store.markViewed("tagged", upTo: .head, by: .ada)
        try await store.changeMembers(of: "room:last", adding: [.ada, .bob])
        let golf = UserID.user("golfer")
        try await fixture.say("swing", to: golf, at: now)
        try await store.erase(golf)
        for user in [UserID.ada, .user("eve ü")] {
            try await store.revoke(Revocation(user: user, issuedBefore: now + .seconds(1)))
        }
        let people = (0..<8).map { UserID.user("guest \($0)") }
        for lists: [Event.RecipientList] in [
            [.init(name: "people", users: people)],
            [.init(name: "people", users: [.ada]), .init(name: "others", isEverybody: true)],
        ] {
            let event = Event(
                type: "said", actor: ["id": "renee", "username": "renee"], to: lists, data: ["text": "to many"])
            _ = try await fixture.publish(fixture.entry(event), at: now)
        }
        try await store.register(activityTypes: ["Order": "aa"])
        try await store.register(activityToken: "bb", at: now)
        _ = try await fixture.ask(.deployment(answerBy: now + .seconds(600), fallback: "reject"), to: .ada, at: now)
        for job in try await store.leasePushJobs(3, at: now).jobs { try await store.settle(job, as: .finish, at: now) }
        await store.close()
        // An erasure is mostly complete within its call, and a store is closed between the steps of a large one.
        let erasure = "INSERT INTO erasure (inbox) VALUES (4711)"
        if Engine.current == .postgres { return try StoreServer.run(erasure, in: fixture.folder) }
        let database = try DatabaseQueue(path: fixture.folder + "/belfry.sqlite")
        try await database.write { try $0.execute(sql: "UPDATE inbox_floor SET id = 4711; \(erasure)") }
        try database.close()
    }
}
