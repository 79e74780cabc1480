import Deliveries
import Inbox
import JSON
import Push
import SQLiteStore
import Store
import Testing

/// Two apps in one store, with people, topics, feeds and keys of the same names.
@Suite(.everyEngine) struct AppTests {
    private static let golf = AppName("golf") ?? .unnamed
    private static let rooms = AppName("rooms") ?? .unnamed
    private static let apps = [AppName.unnamed, golf, rooms]

    private static func user(_ name: String, _ app: AppName) throws -> UserID { try #require(UserID(name, in: app)) }

    private static func event(
        _ text: String, in app: AppName, to list: Event.RecipientList, key: String? = nil, actor: String = "renee"
    ) -> Event {
        Event(
            app: app, type: "said", key: key, actor: ["id": .string(actor), "username": .string(actor)], to: [list],
            data: ["text": .string(text)])
    }

    private static func say(_ text: String, to name: String, in app: AppName, _ fixture: StoreFixture) async throws {
        let list = Event.RecipientList(name: "people", users: [try user(name, app)])
        _ = try await fixture.publish(fixture.entry(event(text, in: app, to: list)), by: app.key("backend"))
    }

    @Test func `a person of two apps has two inboxes, each with its own numbers, also in a later process`() async throws
    {
        let fixture = try StoreFixture()
        for _ in 1...3 { try await Self.say("swing", to: "sarah", in: Self.golf, fixture) }
        try await Self.say("like", to: "sarah", in: .unnamed, fixture)
        let again = try await fixture.reopened()
        let (golfer, guest) = (try Self.user("sarah", Self.golf), try Self.user("sarah", .unnamed))
        #expect(try await again.texts(of: golfer) == ["swing", "swing", "swing"])
        #expect(try await again.texts(of: guest) == ["like"])
        let counts = try await [again.store.state(of: golfer), again.store.state(of: guest)].map { $0.unread }
        #expect(counts == [3, 1])
        _ = try await again.store.apply(.read(.upTo(3)), for: golfer)
        #expect(try await again.store.state(of: guest).unread == 1)
        #expect(try await again.store.page(of: try Self.user("sarah", Self.rooms)).texts.isEmpty)
        await again.remove()
    }

    @Test func `everybody is everybody of the event's app`() async throws {
        func small(_ options: inout SQLiteStoreOptions) { options.recipientsPerPage = 2 }
        try await withStore(small) { fixture in
            for number in 1...5 {
                for app in Self.apps { try await Self.say("x", to: "user-\(number)", in: app, fixture) }
            }
            for app in Self.apps {
                let everybody = Event.RecipientList(name: "people", isEverybody: true)
                let entry = try fixture.entry(Self.event("all of \(app.text)", in: app, to: everybody, actor: "user-5"))
                let id = try #require(try await fixture.publish(entry, by: app.key("backend")).first).event
                // Another app's people do not even show in a number.
                #expect(try await fixture.store.broadcast(of: id)?.total == 5)
                try await fixture.store.deliverAll(of: id, by: fixture.catalog)
                let ended = try #require(try await fixture.store.broadcast(of: id))
                #expect((ended.app, ended.created, ended.suppressed) == (app, 4, 1))
            }
            for app in Self.apps {
                #expect(try await fixture.texts(of: Self.user("user-1", app)) == ["all of \(app.text)", "x"])
                #expect(try await fixture.texts(of: Self.user("user-5", app)) == ["x"])
            }
        }
    }

    @Test func `a dry run for everybody tells the people of the event's app`() async throws {
        try await withStore { fixture in
            for app in Self.apps { for name in ["ada", "bob"] { try await Self.say("x", to: name, in: app, fixture) } }
            let everybody = Event.RecipientList(name: "people", isEverybody: true)
            let entry = try fixture.entry(Self.event("all", in: Self.golf, to: everybody))
            let publication = Publication(publisher: Self.golf.key("backend"), entries: [entry], now: .at(1))
            let rehearsal = try #require(try await fixture.store.rehearse(publication, limit: 10).first)
            #expect(rehearsal.recipients.compactMap(\.user).allSatisfy { $0.app == Self.golf })
            #expect(rehearsal.people == 2)
        }
    }

    @Test func `a topic of one app has none of another's members`() async throws {
        try await withStore { fixture in
            for app in Self.apps {
                let members = try ["\(app.text)-ada", "bob"].map { try Self.user($0, app) }
                _ = try await fixture.store.replaceMembers(of: app.key("team"), with: members)
            }
            let list = Event.RecipientList(name: "people", topics: [Self.golf.key("team")])
            _ = try await fixture.publish(fixture.entry(Self.event("hi", in: Self.golf, to: list)))
            #expect(try await fixture.texts(of: Self.user("bob", Self.golf)) == ["hi"])
            #expect(try await fixture.texts(of: Self.user("bob", Self.rooms)).isEmpty)
            #expect(try await fixture.texts(of: Self.user("bob", .unnamed)).isEmpty)
        }
    }

    @Test func `a key of one app is free in another, and takes back nothing there`() async throws {
        try await withStore { fixture in
            for app in Self.apps {
                let list = Event.RecipientList(name: "people", users: [try Self.user("ada", app)])
                let entry = try fixture.entry(Self.event("hi", in: app, to: list, key: "k"))
                let outcome = try #require(try await fixture.publish(entry, by: app.key("backend")).first)
                #expect(!outcome.isReplay && outcome.created == 1)
            }
            let catalogs = try CatalogSet([fixture.catalog])
            let retraction = try await fixture.store.retract(
                "k", by: Self.golf.key("backend"), catalogs, at: .at(5))
            #expect(retraction?.removed == 1)
            #expect(try await fixture.texts(of: Self.user("ada", Self.golf)).isEmpty)
            #expect(try await fixture.texts(of: Self.user("ada", .unnamed)) == ["hi"])
        }
    }

    @Test func `a token belongs to a device of each app, and a push goes to the event's app`() async throws {
        try await withStore { fixture in
            for app in Self.apps {
                try await fixture.store.register(.phone("phone", token: "same"), for: Self.user("ada", app))
            }
            try await Self.say("swing", to: "ada", in: Self.golf, fixture)
            let job = try await fixture.job(at: .at(0))
            #expect((job.user, job.device.token) == (try Self.user("ada", Self.golf), "same"))
            for app in Self.apps {
                #expect(try await fixture.store.devices(of: Self.user("ada", app)).map(\.token) == ["same"])
            }
            // Within an app, the token's latest registration has it.
            try await fixture.store.register(.phone("other", token: "same"), for: Self.user("bob", Self.golf))
            #expect(try await fixture.store.devices(of: Self.user("ada", Self.golf)).isEmpty)
            #expect(try await fixture.store.devices(of: Self.user("ada", Self.rooms)).count == 1)
        }
    }

    @Test func `a device and an address are looked for in one app`() async throws {
        try await withStore { fixture in
            for app in [Self.golf, Self.rooms] {
                let user = try Self.user("ada-\(app.text)", app)
                try await fixture.store.register(.phone("phone", token: app.text).told(by: .backend), for: user)
                try await fixture.store.write(UserProfile(json: ["email": "ada@example.com"]), of: user)
            }
            let found = try await fixture.store.installation(ofDevice: "phone", in: Self.rooms)
            #expect(found?.user == (try Self.user("ada-rooms", Self.rooms)))
            #expect(try await fixture.store.installation(ofDevice: "phone") == nil)
            for app in [Self.golf, Self.rooms] {
                let user = try await fixture.store.user(withEmail: "ADA@example.com", in: app)
                #expect(user == (try Self.user("ada-\(app.text)", app)))
                let summaries = try await fixture.store.summaries(of: [], for: .email("ada@example.com", in: app))
                #expect(summaries.names == ["ada-\(app.text)", "ada@example.com"])
            }
            #expect(try await fixture.store.user(withEmail: "ada@example.com") == nil)
        }
    }

    @Test func `feeds of one name are two feeds, with marks of their own`() async throws {
        try await withStore { fixture in
            for (number, app) in [Self.golf, Self.rooms].enumerated() {
                let items = (0...number).map { item in
                    FeedItem(feed: app.key("posts"), json: Array("{\"n\":\(item)}".utf8), publishedAt: .at(0))
                }
                _ = try await fixture.store.append(items, to: app.key("posts"), at: .at(0))
            }
            let query = FeedQuery(.newest, limit: 10)
            let golf = try #require(try await fixture.store.items(of: Self.golf.key("posts"), query, with: .open))
            let rooms = try #require(try await fixture.store.items(of: Self.rooms.key("posts"), query, with: .open))
            #expect((golf.items.count, rooms.items.count) == (1, 2))
            #expect(golf.head.epoch != rooms.head.epoch)
        }
    }

    @Test func `erasing a person of one app leaves the person of another`() async throws {
        try await withStore { fixture in
            for app in Self.apps { try await Self.say("hi", to: "ada", in: app, fixture) }
            #expect(try await fixture.store.erase(Self.user("ada", Self.golf)).notifications == 1)
            #expect(try await fixture.texts(of: Self.user("ada", .unnamed)) == ["hi"])
            #expect(try await fixture.texts(of: Self.user("ada", Self.rooms)) == ["hi"])
        }
    }
}
