import Inbox
import JSON
import Testing

/// The part of an event that is for one recipient alone.
struct OwnDataTests {
    private let catalog: Catalog

    init() throws {
        catalog = try Catalog(
            yaml: """
                catalog: posts
                events:
                  post_created:
                    data: [post.id, author.name, queries]
                    routes: [{to: matched, type: NEW_MATCH}, {to: everyone, type: NEW_POST}]
                types:
                  NEW_MATCH:
                    text: "'{{queries.0.title}}' matched a post from {{author.name}}"
                    batch: {window: 1h, by: [queries.0.id], count: queries, nouns: "{{count}}"}
                    subjects: {query: "{{queries.0.id}}"}
                    push:
                      title: "New match"
                      body: "'{{queries.0.title}}' matched a post from {{author.name}}"
                      data: {ids: {value: queries, each: id, join: ","}}
                  NEW_POST:
                    text: "New post from {{author.name}}"
                """, file: "posts.yaml")
    }

    private static let cats: JSONObject = ["queries": [["id": "q1", "title": "Cats"], ["id": "q2", "title": "Dogs"]]]
    private static let hats: JSONObject = ["queries": [["id": "q9", "title": "Hats"]]]

    private func event(_ own: [(user: String, data: JSONObject?)], data: JSONObject = ["author": ["name": "Bob"]])
        -> Event
    {
        let users = Rooms.users(own.map(\.user))
        let pairs = zip(users, own).compactMap { user, own in own.data.map { (user, $0) } }
        let list = Event.RecipientList(name: "matched", users: users, own: Dictionary(uniqueKeysWithValues: pairs))
        return Event(type: "post_created", to: [list], data: data)
    }

    @Test func `each recipient reads what is theirs`() throws {
        let routed = try catalog.route(event([("ann", Self.cats), ("ben", Self.hats)]))
        let type = try #require(routed.routes.first?.type)
        func content(_ own: JSONObject) -> Content {
            type.content(for: routed.event, own: own, at: Timestamp(milliseconds: 0), growing: nil)
        }
        #expect(content(Self.cats).displayText == "'Cats' matched a post from Bob")
        #expect(content(Self.cats).push?.data["ids"] == "q1,q2")
        #expect(content(Self.hats).push?.body == "'Hats' matched a post from Bob")
        #expect(type.subjects(of: routed.event, own: Self.hats) == ["query:q9"])
        #expect(type.batchKey(for: routed.event, own: Self.cats) != type.batchKey(for: routed.event, own: Self.hats))
    }

    @Test func `recipients share a content unless the type shows what is theirs`() throws {
        let match = try #require(catalog.notificationType(named: "NEW_MATCH"))
        let post = try #require(catalog.notificationType(named: "NEW_POST"))
        var own = Self.cats
        own["score"] = 1
        #expect(match.variant(for: Reader(), own: own) == ContentVariant(own: Self.cats))
        #expect(post.variant(for: Reader(), own: own) == ContentVariant())
        #expect(match.variant(for: Reader(), own: ["score": 1]) == ContentVariant())
    }

    @Test func `a type may show the event's data or each recipient's`() throws {
        #expect(throws: Never.self) { try catalog.route(event([("ann", Self.cats)])) }
        var data: JSONObject = ["author": ["name": "Bob"]]
        data["queries"] = Self.hats["queries"]
        #expect(throws: Never.self) { try catalog.route(event([("ann", Self.cats), ("ben", nil)], data: data)) }
    }

    @Test(
        arguments: [
            ([("ann", cats), ("ben", nil)], "/data/queries"),
            ([("ann", cats), ("ben", ["queries": [["id": "q1"]]])], "/to/matched/1/data/queries/0/title"),
            ([("ann", cats), ("ben", ["queries": 7])], "/to/matched/1/data/queries"),
            ([("ann", ["score": 1])], "/data/queries"),
        ] as [([(user: String, data: JSONObject?)], String)])
    func `a missing member is told with its place`(
        _ own: [(user: String, data: JSONObject?)], _ pointer: String
    ) throws {
        let problem = try #require(throws: EventProblem.self) { try catalog.route(event(own)) }
        #expect(problem.pointer == pointer)
    }

    @Test func `a recipient without data of their own needs the event's`() throws {
        var event = event([("ann", Self.cats)])
        event.to[0].topics = ["fans"]
        #expect(throws: EventProblem.self) { try catalog.route(event) }
    }
}
