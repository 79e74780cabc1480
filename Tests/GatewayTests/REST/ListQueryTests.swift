import Inbox
import JSON
import Store
import Testing
import WireProtocol

@testable import Gateway

struct ListQueryTests {
    func query(_ text: String) throws -> HTTPQuery { try head("GET", "/api/notifications?\(text)").query }

    @Test(arguments: [
        ("", 1, 20), ("page=3", 3, 20), ("limit=1", 1, 1), ("limit=100&page=1000000", 1_000_000, 100),
        ("page=2&page=9", 2, 20), ("other=1", 1, 20), ("limit=101", 1, 100), ("limit=500", 1, 100),
        ("limit=99999999999999999999", 1, 100), ("page=&limit=", 1, 20), ("page", 1, 20),
    ])
    func `page and limit have defaults and bounds`(_ text: String, _ page: Int, _ limit: Int) throws {
        let query = try ListQuery(query(text))
        #expect((query.start, query.limit) == (.page(page, asOf: nil), limit))
    }

    @Test(arguments: [
        ("page=0", "page"), ("page=-1", "page"), ("page=1000001", "page"), ("page=1.5", "page"),
        ("page=99999999999999999999", "page"), ("page=+5", "page"), ("limit=0", "limit"), ("limit=-1", "limit"),
        ("limit=1.5", "limit"), ("limit=all", "limit"), ("page=2&asOf=-1", "asOf"), ("page=2&asOf=x", "asOf"),
    ])
    func `a number out of its bounds is told with them`(_ text: String, _ name: String) throws {
        let query = try query(text)
        let problem = try #require(problem { () throws(Problem) in _ = try ListQuery(query) })
        #expect((problem.status, problem.code) == (400, "invalid_parameter"))
        #expect(problem.detail.hasPrefix("\(name): expected a whole number from "))
    }

    @Test func `a cursor takes the place of the page`() throws {
        let id = NotificationID(inbox: 1, sequence: 36)
        #expect(try ListQuery(query("before=n1-10")).start == .before(id, epoch: nil))
        #expect(try ListQuery(query("before=n1-10&after=")).start == .before(id, epoch: nil))
        let query = try ListQuery(query("after=n1-10&epoch=e1&limit=5"))
        #expect((query.start, query.limit) == (.after(id, epoch: "e1"), 5))
    }

    @Test func `an answer names its next page by a cursor, which says as of when`() throws {
        let cursor = ListCursor(epoch: "e.1", asOf: 9, place: 4)
        #expect(cursor.text == "e.1.9.4")
        let query = try ListQuery(query("before=\(cursor.text)&unread=true"))
        #expect(query.start == .behind(cursor))
        var expected = PageQuery(start: .behind(4), limit: 20, asOf: 9, filter: NotificationFilter(unreadOnly: true))
        expected.epoch = "e.1"
        let filter = try query.filter(LoadedCatalogs([]).byApp[.unnamed])
        #expect(query.query(filter) { _, _ in PageQuery(start: .offset(0), limit: 1) } == expected)
    }

    @Test(arguments: ["", "9.4", ".9.4", "e1.9", "e1.9.x", "e1.-9.4", "e1.9.-4", "e1..4", "n1-10"])
    func `a text that was never told is no cursor`(_ text: String) { #expect(ListCursor(text) == nil) }

    @Test(arguments: [
        ("before=x", "before: expected the meta.next of an answer, or the id of a notification"),
        ("after=e1.9.4", "after: expected the id of a notification"),
        ("after=n1-%2010", "after: expected the id of a notification"),
        ("before=n1-2&after=n1-1", "expected before or after, not both"),
        ("before=n1-2&page=2", "expected page or a cursor, not both"),
        ("before=e1.9.4&asOf=9", "expected asOf or a cursor, not both"),
    ])
    func `a cursor that is none is refused`(_ text: String, _ detail: String) throws {
        let query = try query(text)
        let problem = try #require(problem { () throws(Problem) in _ = try ListQuery(query) })
        #expect((problem.status, problem.code, problem.detail) == (400, "invalid_parameter", detail))
    }

    @Test func `which rows are listed can be told, and a category stands for its types`() throws {
        let catalogs = try LoadedCatalogs([
            .init(
                file: "a.yaml",
                text: """
                    catalog: a
                    events: {e: {routes: [{to: all, type: A}, {to: all, type: B}, {to: all, type: C}]}}
                    types:
                      A: {text: a, category: social}
                      B: {text: b, category: social}
                      C: {text: c, category: system}

                    """)
        ]).byApp[.unnamed]
        let cases: [(String, NotificationFilter?)] = [
            ("", nil), ("unread=false", nil), ("unread=true", NotificationFilter(unreadOnly: true)),
            ("group=requests%3Around-7", NotificationFilter(group: "requests:round-7")),
            ("type=A", NotificationFilter(types: ["A"])), ("category=social", NotificationFilter(types: ["A", "B"])),
            ("category=social&type=C&unread=true", NotificationFilter(unreadOnly: true, types: [])),
            ("unread=true&type=&category=&group=", NotificationFilter(unreadOnly: true)),
            ("unread=&type=&category=&group=", nil),
        ]
        for (text, filter) in cases { #expect(try ListQuery(query(text)).filter(catalogs) == filter, "\(text)") }
        for (text, detail) in [
            ("unread=1", "unread: expected true or false"),
            ("category=socail", "category: no type is of this one; expected social"),
            ("category=x", "category: no type is of this one; expected social or system"),
        ] {
            let query = try query(text)
            let problem = try #require(
                problem { () throws(Problem) in _ = try ListQuery(query).filter(catalogs) })
            #expect((problem.status, problem.code, problem.detail) == (400, "invalid_parameter", detail))
        }
    }

    private func meta(
        _ text: String, total: Int64, remaining: Int64, end: Int64? = 8, isRecovered: Bool = true
    ) throws -> JSONObject {
        let page = Page(
            state: InboxState(epoch: "e1", seq: 9, unread: 3, unseen: 2, total: total),
            notifications: [.at(9), .at(8)], totalCount: total, remaining: remaining, asOf: 9, end: end,
            isRecovered: isRecovered)
        let json = try JSONValue(parsing: ListQuery(query(text)).response(page).body)
        #expect(json.object?["data"]?.array?.compactMap { $0.object?["id"]?.string } == ["n1-9", "n1-8"])
        return try #require(json.object?["meta"]?.object)
    }

    @Test(arguments: [(0, 0), (1, 1), (20, 1), (21, 2), (40, 2), (41, 3)])
    func `the answer counts pages`(_ total: Int64, _ pages: Int64) throws {
        let meta = try meta("page=2", total: total, remaining: max(0, total - 20))
        let expected: JSONValue = [
            "totalCount": .int(total), "page": 2, "limit": 20, "totalPages": .int(pages),
            "hasNextPage": .bool(pages > 2), "hasPrevPage": true, "epoch": "e1", "seq": 9, "unread": 3, "unseen": 2,
            "asOf": 9, "next": pages > 2 ? "e1.9.8" : .null,
        ]
        #expect(.object(meta) == expected)
    }

    /// The query, how many rows pass, how many from there on, and the page and the number of pages.
    @Test(
        arguments: [
            ("page=3", 30, 30, 3, 4), ("page=4", 10, 10, 4, 4), ("page=5", 0, 0, 5, 0), ("page=1", 0, 0, 1, 0),
            ("before=e1.9.4", 70, 50, 2, 4), ("before=e1.9.4", 70, 45, 3, 5), ("before=e1.9.4", 70, 20, 4, 4),
            ("before=e1.9.4", 70, 0, 5, 4), ("before=n1-4", 45, 41, 2, 4), ("after=n1-4", 70, 41, 1, 3),
            ("after=n1-4", 70, 20, 1, 1),
        ] as [(String, Int64, Int64, Int64, Int64)])
    func `a page follows exactly where more rows do, also where those before do not pass any more`(
        _ text: String, total: Int64, remaining: Int64, page: Int64, pages: Int64
    ) throws {
        let meta = try meta(text, total: total, remaining: remaining)
        #expect((meta["page"], meta["totalPages"]) == (.int(page), .int(pages)))
        #expect(meta["hasNextPage"] == .bool(remaining > 20))
        #expect(meta["hasNextPage"] == .bool(page < pages))
    }

    @Test func `a place of another epoch is told as one that is not known, and the list begins anew`() throws {
        for text in ["before=e0.9.4", "after=n1-4&epoch=e0"] {
            let meta = try meta(text, total: 70, remaining: 70, isRecovered: false)
            #expect((meta["page"], meta["totalPages"], meta["recovered"]) == (1, 4, false))
        }
        #expect(try meta("before=n1-4", total: 70, remaining: 70)["recovered"] == nil)
    }
}
