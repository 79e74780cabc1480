import Inbox
import JSON
import Support
import Testing

/// A catalog's keys about pushes, beside their texts.
struct PushKeyTests {
    private static let yaml = """
        catalog: golf
        app: rounds
        push: {sound: chime.caf, grace: 10s, lifetime: 6h, bodyMax: 30}
        events:
          upvoted: {routes: [{to: author, type: UPVOTE}]}
          asked: {routes: [{to: host, type: REQUEST}]}
          changed: {routes: [{to: members, type: CHANGE}]}
        types:
          UPVOTE:
            text: "{{actor}} upvoted your post"
            push:
              title: Golf
              body: "{{actor}} upvoted your post"
              perHour: 1
              sound: null
              replaceKey: "post:{{post.id}}"
              summary: {title: "{{count}} upvotes", body: "{{count}} people, {{actor}} among {{count}}"}
          REQUEST:
            text: asked
            push:
              title: Golf
              body: "{{question}}"
              grace: 0s
              lifetime: 15m
              sound: knock.caf
              image: {value: picture, default: null}
              actions: ROUND_REQUEST
              mutableContent: true
              contentAvailable: true
          CHANGE:
            text: changed
            push: {title: Golf, body: "{{note}}", grace: null, lifetime: null, bodyMax: null}
        """

    private func routed(_ type: String, _ data: JSONObject) throws -> (type: NotificationType, push: PushContent) {
        let lists = ["upvoted": "author", "asked": "host", "changed": "members"]
        let list = try #require(lists[type])
        let event = Event(type: type, actor: Rooms.pete, to: [.init(name: list, users: Rooms.users("you"))], data: data)
        let catalog = try Catalog(yaml: Self.yaml, file: "golf.yaml")
        let group = try #require(try catalog.route(event).groups.first)
        return (group.type, try #require(try catalog.content(event).push))
    }

    @Test func `a type without words of its own follows its catalog`() throws {
        let (type, push) = try routed("upvoted", ["post": ["id": "p1"]])
        #expect(
            type.push
                == PushPolicy(
                    when: .fallback, urgency: .normal, grace: .seconds(10), perHour: 1, lifetime: .seconds(6 * 3_600)))
        #expect((push.app, push.replaceKey) == ("rounds", "post:p1"))
        #expect((push.image, push.actions, push.isMutable, push.wakesApp) == (nil, nil, false, false))
    }

    @Test func `a type's own words win over its catalog's, and null takes them back`() throws {
        let (type, push) = try routed("asked", ["question": "May I?", "picture": "https://img.example/1.jpg"])
        #expect(
            type.push
                == PushPolicy(
                    when: .fallback, urgency: .normal, grace: .zero, lifetime: .seconds(900)))
        #expect((push.sound, push.image) == ("knock.caf", "https://img.example/1.jpg"))
        #expect((push.actions, push.isMutable, push.wakesApp) == ("ROUND_REQUEST", true, true))
        let (other, changed) = try routed("changed", ["note": "A note that is longer than thirty characters"])
        #expect(other.push == PushPolicy(when: .fallback, urgency: .normal))
        #expect(changed.body == "A note that is longer than thirty characters")
        #expect(changed.sound == "chime.caf")
        #expect(try routed("upvoted", ["post": ["id": "p1"]]).push.sound == nil)
    }

    @Test(
        arguments: [
            .null, "http://img.example/1.jpg", "picture", "", "https://img.example/a b.jpg", 7, "https://x/\u{e9}.jpg",
            .string("https://x/" + String(repeating: "a", count: 1_000)),
        ] as [JSONValue])
    func `a text that is no address of a picture is left out and costs no push`(_ picture: JSONValue) throws {
        #expect(try routed("asked", ["question": "May I?", "picture": picture]).push.image == nil)
    }

    @Test(arguments: [
        ("Is there room for one more?", "Is there room for one more?"),
        ("Is there room for one more of us?", "Is there room for one more of…"),
        ("Is there room for one more of it?", "Is there room for one more of…"),
        ("Is there room for some more people?", "Is there room for some more…"),
        ("Unreasonably-long-words-are-cut-within", "Unreasonably-long-words-are-…"),
        ("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧 1234567890 1234567890", "👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧 1234567890 1234567890"),
        ("One line\nand another line, \n and yet one more", "One line\nand another line,…"),
    ])
    func `a body that is too long for the lock screen is cut behind a word`(_ text: String, _ body: String) throws {
        #expect(try routed("asked", ["question": .string(text)]).push.body == body)
        #expect(body.count <= 30)
    }

    @Test func `a summary is rendered but for the number of notifications`() throws {
        let summary = try #require(try routed("upvoted", ["post": ["id": "p1"]]).push.summary)
        #expect(summary.title.text(count: 12) == "12 upvotes")
        #expect(summary.body.text(count: 3) == "3 people, Pete among 3")
    }

    @Test func `a summary that names the number of people leaves that open, beside its language's forms`() throws {
        let yaml = """
            catalog: c
            events: {upvoted: {routes: [{to: all, type: UPVOTED}]}}
            types:
              UPVOTED:
                text: t
                push:
                  title: t
                  body: b
                  summary:
                    title: "{{count}} upvotes"
                    body: {one: "{{actor}} upvoted", other: "{{people}} people upvoted"}
            """
        let event = Event(
            type: "upvoted", actor: Rooms.pete, to: [.init(name: "all", users: Rooms.users("you"))], data: [:])
        let summary = try #require(try Catalog(yaml: yaml, file: "c.yaml").content(event).push?.summary)
        #expect(summary.title.text(count: 5, people: 2) == "5 upvotes")
        #expect(summary.body.text(count: 5, people: 2) == "2 people upvoted")
        #expect(summary.body.text(count: 5, people: 1) == "Pete upvoted")
        #expect(summary.body.text(count: 5) == "5 people upvoted")
    }

    @Test func `the count in a batched type's summary is that of notifications, not of elements`() throws {
        let yaml = """
            catalog: c
            events: {added: {routes: [{to: all, type: ADDED}]}}
            types:
              ADDED:
                text: "{{count}} added"
                batch: {window: 5m, by: [actor.id], count: things, nouns: {one: a thing, other: "{{count}} things"}}
                push: {title: t, body: "{{count}}", summary: {title: "{{things}}", body: "{{count}}"}}
            """
        let event = Event(
            type: "added", actor: Rooms.pete, to: [.init(name: "all", users: Rooms.users("you"))],
            data: ["things": [[:], [:]]])
        let push = try #require(try Catalog(yaml: yaml, file: "c.yaml").content(event).push)
        #expect(push.body == "2")
        #expect(push.summary?.title.text(count: 9) == "2 things")
        #expect(push.summary?.body.text(count: 9) == "9")
    }

    @Test func `an event without a value that only a summary, a key or a picture shows is refused`() throws {
        let event = Event(
            type: "upvoted", actor: Rooms.pete, to: [.init(name: "author", users: Rooms.users("you"))])
        let catalog = try Catalog(yaml: Self.yaml, file: "golf.yaml")
        let problem = try #require(throws: EventProblem.self) { try catalog.route(event) }
        #expect((problem.code, problem.pointer) == ("missing_field", "/data/post/id"))
    }
}
