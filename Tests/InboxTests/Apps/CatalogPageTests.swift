import Foundation
import Inbox
import JSON
import Testing

/// Pages about catalogs: `belfry catalog docs`.
struct CatalogPageTests {
    @Test(arguments: App.allCases)
    func `the page that ships is what the catalog gives; if not, run belfry catalog docs again`(_ app: App) throws {
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

    @Test func `what the catalog says is text on the page, and no HTML, link or picture`() throws {
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
        #expect(page.contains("| grows | for 90 s after its first event |"))
        #expect(page.contains("## UNUSED\n\n") && page.hasSuffix("No event leads to it.\n"))
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

    @Test func `what a catalog says about itself stands on its page`() throws {
        let page = CatalogPage(try Self.catalog(about: "## Settings\n\n`a < b`, 1 <2\u{1b}[31m\n\n")).markdown
        #expect(page.contains("\n\n## Settings\n\n`a < b`, 1 <2\\u001b[31m\n\n## Events"))
    }

    @Test(arguments: [
        "<script>", "a </p>", "<!-- x", "[x](javascript:alert(1))", "[x](JavaScript:y)", "[x]: data:text/html,y",
    ])
    func `what could act on a page is refused`(about: String) {
        #expect(throws: CatalogError.self) { try Self.catalog(about: about) }
    }
}
