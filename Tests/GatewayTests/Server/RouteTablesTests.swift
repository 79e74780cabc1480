import Foundation
import JSON
import Testing
import WireProtocol

@testable import Gateway

/// The tables of all services, and what the pages say about them.
struct RouteTablesTests {
    struct Table: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Without what serves them.
        let routes: [Route<Void>]
        let match: @Sendable (HTTPRequestHead) -> HTTPResponse?

        init<Handler>(_ name: String, _ routes: [Route<Handler>]) {
            testDescription = name
            self.routes = routes.map {
                Route($0.method, $0.path, query: $0.query, takes: $0.body, gives: $0.answers, ())
            }
            let router = Router(routes)
            match = { head in if case .unserved(let answer) = router.match(head) { answer } else { nil } }
        }

        /// The answer to a request; nil if a route serves it.
        func refusal(_ method: String, _ path: String) throws -> HTTPResponse? {
            match(try HTTPRequestHead(method: method, target: path, headers: ["Host": "belfry"]))
        }
    }

    static let tables = [
        Table("public", PublicService.routes), Table("local", PublishingService.routes),
        Table("ops", OpsService.routes), Table("console", ConsoleService.routes),
    ]
    private static let methods = ["GET", "PUT", "POST", "DELETE", "PATCH"]
    private static let docs = URL(filePath: #filePath).appending(path: "../../../../docs").standardized
    /// The page about the stand-in for push services, which has paths of its own.
    private static let pageOfSink = "sink.md"

    /// Each mention such as `GET /v1/push`, or `PUT` and `DELETE /v1/push`, in a page.
    private static func mentions() throws -> [(method: String, path: String)] {
        let mention = /((?:`?\b(?:GET|PUT|POST|DELETE|PATCH)\b`?(?:, | and | or )?)+)\s?`?(\/[A-Za-z0-9_{}.:\/-]*)/
        let pages = try FileManager.default.contentsOfDirectory(atPath: docs.path).filter {
            $0.hasSuffix(".md") && $0 != pageOfSink
        }
        return try pages.flatMap { page in
            try String(contentsOf: docs.appending(path: page), encoding: .utf8).matches(of: mention).flatMap { match in
                methods.filter { match.1.contains($0) }.map { ($0, String(match.2)) }
            }
        }
    }

    @Test func `each call that a page names is served`() throws {
        for (method, path) in try Self.mentions() {
            #expect(try Self.tables.contains { try $0.refusal(method, path) == nil }, "\(method) \(path)")
        }
    }

    @Test(arguments: tables)
    func `a page names each call, but for the client's files`(_ table: Table) throws {
        let mentions = try Self.mentions()
        for route in table.routes where !route.path.hasSuffix(".js") {
            #expect(mentions.contains { $0 == (route.method, route.path) }, "\(route.method) \(route.path)")
        }
    }

    @Test(arguments: tables)
    func `a method that a path does not have is told which ones it has`(_ table: Table) throws {
        for path in table.routes.map(\.path) {
            let known = try Self.methods.filter { try table.refusal($0, path) == nil }
            let allowed = known.flatMap { $0 == "GET" ? ["GET", "HEAD"] : [$0] }
            #expect(!known.isEmpty)
            for method in Self.methods + ["HEAD", "OPTIONS"] where !allowed.contains(method) {
                let answer = try #require(try table.refusal(method, path))
                #expect(answer.status == 405, "\(method) \(path)")
                #expect(answer.headers.elements(of: "Allow").sorted() == allowed.sorted(), "\(method) \(path)")
            }
        }
    }

    @Test(arguments: tables)
    func `no two routes have the same method and path`(_ table: Table) {
        #expect(Set(table.routes.map { "\($0.method) \($0.path)" }).count == table.routes.count)
    }

    @Test(arguments: tables)
    func `each route says what it takes and gives`(_ table: Table) {
        for route in table.routes {
            let (name, answers) = ("\(route.method) \(route.path)", route.answers)
            #expect(answers.contents.keys.contains { $0 < 400 }, "\(name)")
            #expect(answers.problems.allSatisfy { (400..<500).contains($0) }, "\(name)")
            #expect(answers.problems.isDisjoint(with: RouteAnswers.usualProblems), "\(name)")
            switch route.method {
            // A GET has no body, and nothing is made or changed.
            case "GET":
                #expect(
                    route.body == .nothing && answers.contents[202] == nil && answers.contents[204] == nil, "\(name)")
            // Proxies may drop the body of a DELETE (RFC 9110 §9.3.5).
            case "DELETE": #expect([.nothing, .optionalJSON].contains(route.body), "\(name)")
            case "PUT", "PATCH": #expect(route.body != .nothing && answers.contents[304] == nil, "\(name)")
            default: #expect(answers.contents[304] == nil, "\(name)")
            }
            #expect(Set(route.query.parameters.map(\.name)).count == route.query.parameters.count, "\(name)")
        }
    }

    @Test(arguments: tables)
    func `a parameter that is given twice is refused on every route, and named`(_ table: Table) throws {
        for route in table.routes {
            let path = route.path.replacing(/{[^}]*}/, with: "x")
            for parameter in route.query.parameters {
                let once = "\(path)?\(parameter.name)=1"
                #expect(try table.refusal(route.method, once) == nil, "\(once)")
                for twice in ["\(once)&\(parameter.name)=1", "\(once)&\(parameter.name)"] {
                    let answer = try table.refusal(route.method, twice)
                    #expect((answer == nil) == parameter.isList, "\(route.method) \(twice)")
                    guard let answer else { continue }
                    let problem = try JSONValue(parsing: answer.body)
                    #expect((answer.status, problem.at(["code"])) == (400, "invalid_parameter"), "\(twice)")
                    #expect(problem.at(["detail"]) == .string("\(parameter.name): expected once"), "\(twice)")
                }
            }
            // What is unknown is treated as ever.
            let answer = try table.refusal(route.method, path + "?_=1&_=2")
            if case .any = route.query { #expect(answer == nil) } else { #expect(answer?.status == 400) }
        }
    }

    @Test(arguments: [
        ("GET", "/api/notifications"), ("GET", "/api/notifications/unread-count"), ("PUT", "/api/notifications/read"),
        ("PUT", "/api/notifications/player-id"), ("POST", "/api/notifications/register-device"),
        ("POST", "/api/notifications/poll"),
    ])
    func `endpoints for apps on phones take any query`(_ method: String, _ path: String) throws {
        #expect(try Self.tables[0].refusal(method, path + "?_=1") == nil)
    }

    @Test(arguments: [
        ("DELETE", "/api/notifications", "upTo"), ("PUT", "/api/notifications/seen", "upTo"),
        ("PUT", "/api/notifications/read-all", "upTo"), ("DELETE", "/api/notifications/n-1", nil),
        ("PUT", "/api/devices/d", nil), ("DELETE", "/api/devices/d", "app"),
        ("PUT", "/api/notifications/preferences", nil), ("PUT", "/v1/feeds/f/viewed", nil),
    ])
    func `other calls that change something take what they know`(
        _ method: String, _ path: String, _ known: String?
    ) throws {
        if let known { #expect(try Self.tables[0].refusal(method, "\(path)?\(known)=1") == nil) }
        #expect(try Self.tables[0].refusal(method, path + "?other=1")?.status == 400)
    }
}
