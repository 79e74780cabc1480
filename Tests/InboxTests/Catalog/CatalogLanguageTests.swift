import Inbox
import JSON
import Testing

/// The keys of a catalog beside plain texts.
struct CatalogLanguageTests {
    private static let yaml = """
        catalog: golf
        title: "Golf Club"
        app: golf-ios
        badge: unseen
        actor: [id, name]
        categories:
          requests: {title: "Round requests", icon: person, color: green, tint: {dark: 1}}
          social: {icon: heart}
        members: {style: icon}
        events:
          requested:
            data: [round.id, round.name, round.course, round.priority, note, player.ids, player.list]
            routes: [{to: host, type: REQUEST}]
          liked:
            routes: [{to: author, type: LIKE}]
        types:
          REQUEST:
            category: requests
            preview: {path: note, max: 20, optional: true}
            words: {priority: {path: round.priority, of: {high: "High", low: "Low"}, optional: true}}
            text: ["{{priority}} priority: {{actor}} says {{preview}}", "{{actor}} says {{preview}}", "{{actor}} asks"]
            fields:
              title: "{{actor}} requested to join your round"
              preview: ["{{round.name}} at {{round.course}}", "{{round.name}}", ""]
              cta: {label: "View", action: openRequests, args: {id: "{{round.id}}", n: 1, none: null}}
              names: {value: player.list, each: name, default: []}
              first: {value: player.list.0.name, default: null}
              plain: [a, b]
            group: "requests:{{round.id}}"
            groupText: {one: "a request for {{round.name}}", other: "{{count}} requests for {{round.name}}"}
            subjects: {round: "{{round.id}}", course: "{{round.course}}"}
            preferences: {title: "Requests", inApp: on, push: off, required: true}
            deepLink: {type: round, roundId: "{{round.id}}", sheet: {name: requests}}
            push:
              title: "Round"
              body: ["{{preview}}", "{{round.name}}"]
              data: {players: {value: player.ids, join: ",", default: null}, all: {value: player.ids, each: id, default: null}}
          LIKE:
            category: social
            text: "{{actor}} liked it"
            batch: {window: 5m, by: [], count: likes, nouns: "{{count}} likes"}
            push: {title: t, body: "{{likes}}", timing: trailing, group: "likes"}
        """

    private let catalog: Catalog

    init() throws { catalog = try Catalog(yaml: Self.yaml, file: "golf.yaml") }

    private func request(_ data: JSONObject) -> Event {
        Event(
            type: "requested", actor: ["id": "u1", "name": "Ada"], to: [.init(name: "host", users: Rooms.users("h"))],
            data: data)
    }

    private static let round: JSONObject = ["id": "r7", "name": "Sunday", "course": "Pebble"]

    // MARK: Texts

    @Test(
        arguments: [
            (["round": ["id": "r7"]], "Ada asks", ""),
            (["round": ["id": "r7"], "note": "hi"], "Ada says hi", ""),
            (["round": ["id": "r7", "priority": "high"], "note": "hi"], "High priority: Ada says hi", ""),
            (["round": ["id": "r7", "priority": "top"], "note": "hi"], "top priority: Ada says hi", ""),
            (["round": ["id": "r7", "name": "Sunday"]], "Ada asks", "Sunday"),
            (["round": ["id": "r7", "name": "Sunday", "course": "Pebble"]], "Ada asks", "Sunday at Pebble"),
            (["round": ["id": "r7", "name": nil, "course": "Pebble"]], "Ada asks", ""),
        ] as [(JSONObject, String, String)])
    func `of several texts the first one counts whose values are all there`(
        _ data: JSONObject, _ text: String, _ preview: String
    ) throws {
        let type = try #require(catalog.notificationType(named: "REQUEST"))
        let content = type.content(for: request(data), at: Timestamp(milliseconds: 0), growing: nil)
        #expect(content.displayText == text)
        #expect(try content.members["preview"] == .string(preview))
    }

    @Test func `the members that the last of several texts needs must be there`() throws {
        let problem = try #require(throws: EventProblem.self) { try catalog.route(request(["round": ["id": "r7"]])) }
        #expect((problem.code, problem.pointer) == ("missing_field", "/data/round/name"))
        let pointers = try #require(catalog.notificationType(named: "REQUEST")).requiredPointers
        #expect(Set(pointers) == ["/actor", "/data/round/id", "/data/round/name"])
    }

    // MARK: Members

    @Test func `a notification holds objects, lists, its category's data and its group`() throws {
        let content = try catalog.content(
            request([
                "round": .object(Self.round),
                "player": ["list": [["id": "a", "name": "Ann"], ["id": "b"], ["id": "c", "name": "Cleo"]]],
            ]))
        let expected = """
            "actor":{"id":"u1","name":"Ada"},\
            "deepLink":{"type":"round","roundId":"r7","sheet":{"name":"requests"},"actorId":"u1"},\
            "title":"Ada requested to join your round","preview":"Sunday at Pebble",\
            "cta":{"label":"View","action":"openRequests","args":{"id":"r7","n":1,"none":null}},\
            "names":["Ann","Cleo"],"first":"Ann","plain":["a","b"],\
            "style":{"icon":"person","color":"green","tint":{"dark":1}},"category":"requests","group":"requests:r7"
            """
        #expect(String(decoding: content.body, as: UTF8.self) == expected)
        #expect(content.group == "requests:r7")
        #expect(content.groupText?.text(count: 1) == "a request for Sunday")
        #expect(content.groupText?.text(count: 3) == "3 requests for Sunday")
    }

    @Test(
        arguments: [
            [("id", "1"), ("name", "A"), ("name", "B")], [("name", "A"), ("name", "B"), ("id", "1")],
            [("name", "A"), ("id", "1"), ("name", "B")], [("id", "1"), ("id", "2"), ("name", "A")],
            [("age", "7"), ("name", "A"), ("name", "B"), ("id", "1"), ("id", "2")],
        ])
    func `of an actor's members with the same name the first one is shown, wherever it stands`(
        _ members: [(String, String)]
    ) throws {
        var event = request(["round": .object(Self.round)])
        event.actor = JSONObject(members.map { .init(key: $0, value: .string($1)) })
        let shown = try catalog.content(event).members["actor"]
        #expect(shown == .object(["id": "1", "name": "A"]))
    }

    @Test func `a push belongs to its notification's group, unless it names its own`() throws {
        let push = try #require(try catalog.content(request(["round": .object(Self.round)])).push)
        #expect((push.group, push.groupText?.text(count: 2)) == ("requests:r7", "2 requests for Sunday"))
        let liked = Event(
            type: "liked", actor: ["id": "u1"], to: [.init(name: "author", users: Rooms.users("h"))],
            data: ["likes": [1, 2]])
        let content = try catalog.content(liked)
        #expect((content.group, content.push?.group, content.push?.groupText) == (nil, "likes", nil))
        #expect(content.push?.body == "2 likes")
    }

    @Test func `a push's data may hold a list, or a list as one text`() throws {
        let data: JSONObject = ["round": .object(Self.round), "player": ["ids": ["a", "b"]]]
        #expect(
            try catalog.content(request(data)).push?.data == ["type": "REQUEST", "players": "a,b", "all": []])
        let none: JSONObject = ["round": .object(Self.round)]
        #expect(try catalog.content(request(none)).push?.data == ["type": "REQUEST"])
    }

    @Test func `a list that is no list is refused where it must be there`() throws {
        let yaml = """
            catalog: c
            events: {e: {routes: [{to: all, type: X}]}}
            types: {X: {text: t, fields: {ids: {value: items, each: id}}}}
            """
        let catalog = try Catalog(yaml: yaml, file: "c.yaml")
        func event(_ items: JSONValue) -> Event {
            Event(type: "e", to: [.init(name: "all", users: Rooms.users("u"))], data: ["items": items])
        }
        let problem = try #require(throws: EventProblem.self) { try catalog.route(event("a")) }
        #expect((problem.code, problem.pointer) == ("wrong_type", "/data/items"))
        #expect(try catalog.content(event([["id": 1], ["id": "b"]])).members["ids"] == [1, "b"])
    }

    // MARK: Policy

    @Test func `a type knows what it is about, how people may receive it and what changes`() throws {
        let type = try #require(catalog.notificationType(named: "REQUEST"))
        #expect(
            type.subjects(of: request(["round": .object(Self.round)])) == ["actor:u1", "round:r7", "course:Pebble"])
        #expect(type.subjects(of: request(["round": ["id": 7]])) == ["actor:u1", "round:7"])
        #expect(type.preferences == ChannelPreferences(inApp: true, push: false, isRequired: true))
        #expect((type.title(), type.category) == ("Requests", "requests"))
        #expect(type.liveFields == ["title", "preview", "cta", "names", "first", "plain"])
        #expect(type.push.timing == .leading)
        let like = try #require(catalog.notificationType(named: "LIKE"))
        #expect((like.preferences, like.title(), like.push.timing) == (ChannelPreferences(), "LIKE", .trailing))
    }

    @Test func `a catalog can be looked into`() {
        #expect(
            (catalog.title(), catalog.app, catalog.badge, catalog.zone) == ("Golf Club", "golf-ios", .unseen, "UTC"))
        #expect(catalog.categories.map(\.name) == ["requests", "social"])
        #expect(catalog.categories.map { $0.title() } == ["Round requests", "social"])
        #expect(catalog.category(named: "social")?.data == ["icon": "heart"])
        #expect(catalog.eventRules.map(\.name) == ["requested", "liked"])
        #expect(catalog.eventRules.first?.data?.first == ["round", "id"])
        #expect(catalog.notificationTypes.map(\.name) == ["REQUEST", "LIKE"])
    }

    // MARK: Digest

    @Test(
        arguments: [
            ("catalog: c", "c", "1 new notification", "5 new notifications"),
            ("catalog: c\ntitle: Sea", "Sea", "1 new notification", "5 new notifications"),
            (
                "catalog: c\npush: {digest: {title: \"{{count}} x\", body: {one: \"just one\", other: \"all {{count}}\"}}}",
                "5 x", "just one", "all 5"
            ),
        ])
    func `one push for several types says how many there are`(
        _ top: String, _ title: String, _ one: String, _ several: String
    ) throws {
        let yaml =
            top + "\nevents: {e: {routes: [{to: all, type: X}]}}\n"
            + "types: {X: {text: t, push: {title: t, body: b}}}"
        let event = Event(type: "e", to: [.init(name: "all", users: Rooms.users("u"))])
        let digest = try #require(try Catalog(yaml: yaml, file: "c.yaml").content(event).push?.digest)
        #expect(digest.title.text(count: 5) == title)
        #expect((digest.body.text(count: 1), digest.body.text(count: 5)) == (one, several))
    }

    @Test func `words are not taken for granted in another language`() throws {
        let yaml =
            "catalog: c\nlocale: de\nevents: {e: {routes: [{to: all, type: X}]}}\n"
            + "types: {X: {text: t, push: {title: t, body: b}}}"
        let event = Event(type: "e", to: [.init(name: "all", users: Rooms.users("u"))])
        let push = try #require(try Catalog(yaml: yaml, file: "c.yaml").content(event).push)
        #expect(push.digest == nil)
    }

    // MARK: Batches

    @Test func `a batch is rendered again as somebody else counts it`() throws {
        let type = try #require(catalog.notificationType(named: "LIKE"))
        let event = Event(type: "liked", actor: ["id": "u1"], data: ["likes": [1, 2, 3]])
        var batch = try #require(type.content(for: event, at: Timestamp(milliseconds: 0), growing: nil).batch)
        batch.tallies[0].count = 2
        let content = type.content(for: event, showing: batch)
        #expect((content.push?.body, content.batch) == ("2 likes", batch))
    }
}
