import Foundation
import Inbox
import JSON
import Testing

/// Pages about catalogs: `belfry catalog docs`.
struct CatalogPageTests {
    @Test(arguments: App.allCases)
    func `the page that ships is made from the catalog; if not, run belfry catalog docs again`(_ app: App) throws {
        #expect(try app.page() == CatalogPage(app.catalog()).markdown)
    }

    @Test(arguments: App.allCases)
    func `every type of a catalog that ships has an example`(_ app: App) throws {
        let (catalog, page) = (try app.catalog(), try app.page())
        for name in catalog.typeNames {
            let section = try #require(page.components(separatedBy: "\n## \(name)\n").last)
            let isPushOnly = catalog.notificationType(named: name)?.preferences.isPushOnly ?? false
            #expect(section.contains(isPushOnly ? "As a push:" : #""type": "\#(name)","#))
        }
        #expect(!page.contains("Give the event"))
    }

    private static let yaml = """
        catalog: library
        app: library
        badge: boolean
        categories: {loans: {title: "Your | loans", icon: book}}
        events:
          book_due: {data: [book.title, due], routes: [{to: reader, type: BOOK_DUE}]}
          returned: {routes: [{to: librarian, type: RETURNED}]}
        types:
          RETURNED:
            text: "{{books}} are back"
            batch: {window: 90s, by: [actor.id], count: books, nouns: {one: "a book", other: "{{count}} books"}}
          BOOK_DUE:
            category: loans
            text: "{{book.title}} is due on {{due}}"
            deepLink: {type: book}
            push: {title: "Due soon", body: "{{book.title}}", urgency: low, perHour: 2}
          UNUSED: {text: "nobody gets this"}
        """

    private static func page() throws -> String {
        CatalogPage(try Catalog(yaml: yaml, file: "library.yaml")).markdown
    }

    @Test func `without samples, an example is made of the paths that a type needs`() throws {
        let page = try Self.page()
        #expect(page.contains(#""displayText": "book title is due on due""#))
        #expect(page.contains(#"{"title": "Due soon", "body": "book title", "data": {"type": "BOOK_DUE"}}"#))
        #expect(page.contains("| push | if nobody saw it live; low urgency; at most 2 an hour |"))
        #expect(page.contains(#"| `loans` | Your \| loans | `{"icon": "book"}` |"#))
    }

    @Test func `the catalog's words are text on the page, and no HTML, link or picture`() throws {
        let page = CatalogPage(
            try Catalog(
                yaml: """
                    catalog: shop
                    title: "<script>alert(1)</script> & more"
                    categories: {sales: {title: "<img src=x onerror=alert(2)> [a](javascript:b) ![c](http://d)"}}
                    events:
                      sold: {routes: [{to: owner, type: SOLD}], sample: {actor: {id: "1"}, data: {what: "<b>bold</b>"}}}
                    types:
                      SOLD:
                        category: sales
                        text: "sold <i>{{what}}</i>"
                        push: {title: "<u>Sold</u>", body: "a\nb"}
                    """, file: "shop.yaml")
        ).markdown
        // Without what stands in blocks of code and the page's own comment.
        let blocks = page.components(separatedBy: "```")
        let words = stride(from: 0, to: blocks.count, by: 2).map { blocks[$0] }.joined().replacing("<!--", with: "")
        #expect(!words.contains("<"))
        #expect(words.contains("# &lt;script&gt;alert(1)&lt;/script&gt; &amp; more\n"))
        #expect(words.contains(#"\[a\](javascript:b) !\[c\](http://d)"#))
    }

    @Test func `where that does not do, the page asks for a sample; an unused type is told`() throws {
        let page = try Self.page()
        #expect(page.contains("Give the event `returned` a `sample`, and an example stands here: wrong_type"))
        #expect(page.contains("| grows | for 90 s after its first event; "))
        #expect(page.contains("## UNUSED\n\n") && page.hasSuffix("No event leads to it.\n"))
    }

    private static func page(of lines: String) throws -> String {
        let yaml = """
            catalog: c
            feeds:
              posts: {access: public, id: id, author: author.email, time: at, tags: tags, length: 100}
              "typing:*": {access: {topic: "room:*"}, length: 0}
            events:
              happened:
                data: [what, queries]
                routes: [{to: all, type: X}, {to: some, type: X}]
                sample: {actor: {id: a, name: "O'Hara"}, data: {what: "it's"}, own: {some: {queries: [{id: q}]}}}
            types:
              X: {text: "{{what}}", fields: {likes: null, n: 1, ids: {value: queries, each: id, default: null}}, \(lines)}
            """
        return CatalogPage(try Catalog(yaml: yaml, file: "c.yaml")).markdown
    }

    @Test(arguments: [
        ("a: b", ["| in the app | unless people switch it off |"]),
        ("preferences: {inApp: off}", ["| in the app | if people switch it on |"]),
        (
            "preferences: {required: true}, subjects: {what: \"{{what}}\"}",
            ["| in the app | always: people can neither mute it nor switch it off |"]
        ),
        (
            "preferences: {required: true}, push: {title: t, body: b}",
            [
                "| in the app | always: people can neither mute it nor switch it off, nor its pushes |",
                "| push | if nobody saw it live |",
            ]
        ),
        (
            "preferences: {required: true, push: off}, push: {title: t, body: b}",
            ["| push | if nobody saw it live; off, and nobody can switch it on |"]
        ),
        (
            "preferences: {required: true, inApp: off}",
            ["| in the app | never: it is off, and nobody can switch it on |"]
        ),
    ])
    func `a page says once and truly what people can choose`(_ lines: String, _ rows: [String]) throws {
        let page = try Self.page(of: lines == "a: b" ? "category: b" : lines)
        for row in rows { #expect(page.contains(row)) }
        let isRequired = lines.contains("required: true")
        #expect(page.contains("unless people") == lines.contains("a: b"))
        #expect(page.contains("| may be muted by |") == !isRequired)
    }

    @Test func `a page tells of feeds, and of fields that are empty until a backend changes them`() throws {
        let page = try Self.page(of: "category: b")
        #expect(
            page.contains(
                "| `posts` | everybody with a token | `id`: id; `author.email`: author; `at`: time, written by the feed; "
                    + "`tags`: tags | 100 items |"))
        #expect(
            page.contains(
                "| `typing:*` | the members of the topic `room:*` |  | nothing: items go only to sessions "
                    + "subscribed at that moment |"))
        #expect(page.contains("| backends may change | `ids`, `likes`, `n` |"))
        #expect(page.contains("| null until a backend changes it | `likes` |"))
    }

    @Test func `a sample stands there as the call that publishes it`() throws {
        let call = try #require(Self.calls(in: try Self.page(of: "category: b")).first)
        #expect(call.hasPrefix("curl --unix-socket data/belfry.sock http://belfry/v1/events -d '{"))
        let event = try Self.event(in: call)
        #expect(event.actor == ["id": "a", "name": "O'Hara"])
        #expect(event.data == ["what": "it's"])
        #expect(event.to.map(\.name) == ["all", "some"])
        #expect(event.to[1].own.values.map(\.self) == [["queries": [["id": "q"]]]])
    }

    @Test(arguments: App.allCases)
    func `every event of a catalog that ships has a call, and it is taken without a warning`(_ app: App) throws {
        let (catalog, calls) = (try app.catalog(), Self.calls(in: try app.page()))
        let events = try calls.map(Self.event)
        #expect(events.map(\.type) == catalog.eventRules.map(\.name))
        for event in events { #expect(try catalog.route(event).warnings == []) }
    }

    private static func calls(in page: String) -> [String] {
        page.components(separatedBy: "```sh\n").dropFirst().compactMap { $0.components(separatedBy: "\n```").first }
    }

    /// The event in a call, as a shell passes it on.
    private static func event(in call: String) throws -> Event {
        let quoted = call.components(separatedBy: "'")
        try #require(quoted.count == 3 && quoted[2].isEmpty)
        return try Event(json: JSONValue(parsing: quoted[1]), at: Timestamp(milliseconds: 0))
    }

    @Test func `events and types stand in the order of the file`() throws {
        let page = try Self.page()
        let places = ["| `book_due` |", "| `returned` |", "## RETURNED", "## BOOK_DUE", "## UNUSED"].map {
            page.range(of: $0)?.lowerBound
        }
        #expect(places.allSatisfy { $0 != nil })
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }

    private static func catalog(about: String) throws -> Catalog {
        let text = String(decoding: JSONValue.string(about).encoded, as: UTF8.self)
        return try Catalog(yaml: "catalog: c\nabout: \(text)\nevents: {}\ntypes: {}\n", file: "c.yaml")
    }

    @Test func `a catalog's description of itself stands on its page`() throws {
        let page = CatalogPage(try Self.catalog(about: "## Settings\n\n`a < b`, 1 <2\u{1b}[31m\n\n")).markdown
        #expect(page.contains("\n\n## Settings\n\n`a < b`, 1 <2\\u001b[31m\n\n## Events"))
    }

    @Test(arguments: [
        "<script>", "a </p>", "<!-- x", "[x](javascript:alert(1))", "[x](JavaScript:y)", "[x]: data:text/html,y",
    ])
    func `a text that could act on a page is refused`(about: String) {
        #expect(throws: CatalogError.self) { try Self.catalog(about: about) }
    }
}
