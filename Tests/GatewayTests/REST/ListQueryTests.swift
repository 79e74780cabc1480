import Inbox
import JSON
import Storage
import Testing
import WireProtocol

@testable import Gateway

struct ListQueryTests {
    func query(_ text: String) throws -> HTTPQuery { try head("GET", "/api/notifications?\(text)").query }

    @Test(arguments: [
        ("", 1, 20), ("page=3", 3, 20), ("limit=1", 1, 1), ("limit=100&page=1000000", 1_000_000, 100),
        ("page=2&page=9", 2, 20), ("other=1", 1, 20),
    ])
    func `page and limit have defaults and bounds`(_ text: String, _ page: Int, _ limit: Int) throws {
        let query = try ListQuery(query(text))
        #expect((query.page, query.limit) == (page, limit))
        #expect(query.cursor == nil)
    }

    @Test(arguments: [
        ("page=0", "page"), ("page=-1", "page"), ("page=1000001", "page"), ("page=", "page"), ("page", "page"),
        ("page=1.5", "page"), ("page=99999999999999999999", "page"), ("page=+5", "page"), ("limit=0", "limit"),
        ("limit=101", "limit"), ("limit=all", "limit"),
    ])
    func `a number out of its bounds is told with them`(_ text: String, _ name: String) throws {
        let query = try query(text)
        let problem = try #require(problem { () throws(Problem) in _ = try ListQuery(query) })
        #expect((problem.status, problem.code) == (400, "invalid_parameter"))
        #expect(problem.detail.hasPrefix("\(name): expected a whole number from 1 to "))
    }

    @Test func `a cursor takes the place of the page`() throws {
        let id = NotificationID(inbox: 1, sequence: 36)
        #expect(try ListQuery(query("before=n1-10")).cursor == .before(id))
        let query = try ListQuery(query("after=n1-10&limit=5"))
        #expect(query.cursor == .after(id))
        #expect(query.limit == 5)
    }

    @Test(arguments: [
        ("before=x", "before: expected the id of a notification"),
        ("after=", "after: expected the id of a notification"),
        ("after=n1-%2010", "after: expected the id of a notification"),
        ("before=n1-2&after=n1-1", "expected before or after, not both"),
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
        ]).catalogSet
        let cases: [(String, NotificationFilter?)] = [
            ("", nil), ("unread=false", nil), ("unread=true", NotificationFilter(unreadOnly: true)),
            ("group=requests%3Around-7", NotificationFilter(group: "requests:round-7")),
            ("type=A", NotificationFilter(types: ["A"])), ("category=social", NotificationFilter(types: ["A", "B"])),
            ("category=social&type=C&unread=true", NotificationFilter(unreadOnly: true, types: [])),
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

    @Test(arguments: [(0, 0), (1, 1), (20, 1), (21, 2), (40, 2), (41, 3)])
    func `the answer counts pages`(_ total: Int64, _ pages: Int64) throws {
        let page = Page(
            state: InboxState(epoch: "e1", seq: 9, unread: 3, unseen: 2, total: total),
            notifications: [.at(9), .at(8)],
            totalCount: total, hasMore: true)
        let response = try ListQuery(query("page=2")).response(page)
        let json = try JSONValue(parsing: response.body)
        #expect(json.object?["data"]?.array?.compactMap { $0.object?["id"]?.string } == ["n1-9", "n1-8"])
        let meta: JSONValue = [
            "totalCount": .int(total), "page": 2, "limit": 20, "totalPages": .int(pages), "hasNextPage": true,
            "hasPrevPage": true, "epoch": "e1", "seq": 9, "unread": 3, "unseen": 2,
        ]
        #expect(json.object?["meta"] == meta)
    }
}
