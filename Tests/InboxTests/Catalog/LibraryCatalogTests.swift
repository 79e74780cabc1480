import Inbox
import JSON
import Testing

/// An app that nobody thought of: all of it is in its catalog.
struct LibraryCatalogTests {
    private static let yaml = """
        catalog: library
        badge: boolean
        actor: [id, name]
        events:
          books_returned:
            routes: [{to: waiting, type: BOOK_READY}, {to: librarians, type: RETURNED}]
          branch_closed:
            routes: [{to: members, type: CLOSED}]
        types:
          BOOK_READY:
            text: "{{first.title}} is waiting for you at {{branch.name}} until {{until}}"
            deepLink: {type: shelf, shelf: {value: first.shelf}, branch: "{{branch.code}}"}
            fields:
              loan: {value: loan, default: null}
              language: {value: first.language, case: upper, default: EN}
            push: {when: always, title: Library, body: "{{first.title}} is ready", data: {shelf: {value: first.shelf}}}
          RETURNED:
            actorName: firstName
            text: "{{actor}} brought back {{books}} ({{count}})"
            batch:
              window: 1d
              by: [actor.id]
              count: books
              nouns: {one: one book, other: "{{count}} books"}
              samples: {covers: 2}
          CLOSED:
            category: branch
            text: "{{branch.name}} is closed today"
        """

    private let catalog: Catalog

    init() throws {
        catalog = try Catalog(yaml: Self.yaml, file: "library.yaml")
    }

    private func text(_ content: Content) -> String { String(decoding: content.body, as: UTF8.self) }

    private static let returned: JSONObject = [
        "books": ["Emma", "Persuasion", "Sanditon"], "branch": ["name": "Main", "code": 7], "until": "Friday",
        "first": ["title": "Emma", "shelf": 12, "language": "fr"],
    ]

    @Test func `a reader hears of the book and a librarian of the pile`() throws {
        let event = Event(
            type: "books_returned", actor: ["id": "m-1", "name": "Ada Reader"],
            to: [
                .init(name: "librarians", users: Rooms.users("lib")), .init(name: "waiting", users: Rooms.users("eve")),
            ], data: Self.returned)
        let routed = try catalog.route(event)
        let contents = routed.groups.map {
            $0.type.content(for: event, at: Timestamp(milliseconds: 0), growing: nil)
        }
        #expect(contents.map(\.type) == ["BOOK_READY", "RETURNED"])
        #expect(contents[0].displayText == "Emma is waiting for you at Main until Friday")
        #expect(
            text(contents[0])
                == #""actor":{"id":"m-1","name":"Ada Reader"},"deepLink":{"type":"shelf","shelf":12,"branch":"7","#
                + #""actorId":"m-1"},"loan":null,"language":"FR""#)
        #expect(contents[0].push?.data == ["type": "BOOK_READY", "shelf": 12])
        #expect(contents[1].displayText == "Ada Reader brought back 3 books (3)")
        #expect(text(contents[1]) == #""actor":{"id":"m-1","name":"Ada Reader"},"covers":["Emma","Persuasion"]"#)
        #expect(contents[1].push == nil)
    }

    @Test(arguments: [
        ("shelf", "missing_field", "/data/first/shelf"), ("title", "missing_field", "/data/first/title"),
    ])
    func `a value without a default must be there`(_ key: String, _ code: String, _ pointer: String) throws {
        var first = try #require(Self.returned["first"]?.object)
        first[key] = .some(.null)
        var event = Event(
            type: "books_returned", to: [.init(name: "waiting", users: Rooms.users("eve"))], data: Self.returned)
        event.data["first"] = .object(first)
        let problem = try #require(throws: EventProblem.self) { try catalog.route(event) }
        #expect(problem.code == code)
        #expect(problem.pointer == pointer)
    }

    @Test func `an event that nobody caused has no actor`() throws {
        let event = Event(
            type: "branch_closed", to: [.init(name: "members", users: Rooms.users("eve"))],
            data: ["branch": ["name": "Main"]])
        let content = try catalog.content(event)
        #expect(content.displayText == "Main is closed today")
        #expect(text(content) == #""actor":null,"category":"branch""#)
    }

    @Test func `it lives beside the rooms, and each event finds its own catalog`() throws {
        let catalogs = try CatalogSet([Rooms.catalog(), catalog])
        #expect(catalogs.catalog(forEvent: "books_returned")?.name == "library")
        #expect(catalogs.catalog(forEvent: "room_liked")?.name == "rooms")
        #expect(catalogs.catalog(forEvent: "rained") == nil)
        #expect(catalogs.eventTypes.count == 13)
        let event = Event(
            type: "branch_closed", to: [.init(name: "members", users: Rooms.users("eve"))],
            data: ["branch": ["name": "Main"]])
        #expect(try catalogs.route(event).groups.map(\.type.name) == ["CLOSED"])
    }
}
