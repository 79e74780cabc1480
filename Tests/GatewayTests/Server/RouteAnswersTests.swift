import JSON
import Testing
import WireProtocol

@testable import Gateway

/// What an endpoint declares of its answers.
struct RouteAnswersTests {
    private static let problem = Problem(status: 404, code: "not_found", detail: "gone").response
    private static let refusal = Problem(status: 400, code: "invalid_json", detail: "no").response
    private static let json = HTTPResponse.json { $0.value(1) }

    @Test(arguments: [
        (RouteAnswers.json, json, true), (.json, .text(200, "ok"), false), (.json, HTTPResponse(status: 200), false),
        (.json, HTTPResponse(status: 204), false), (.json, .json(202) { $0.value(1) }, false), (.accepted, json, false),
        (.json, problem, false), (.json.or(404), problem, true), (.json.or(403, 404), problem, true),
        (.json.or(404), .text(404, "gone"), false), (.json, refusal, true), (.nothing, refusal, true),
        (.nothing, HTTPResponse(status: 204), true), (.taggedJSON, HTTPResponse(status: 304), true),
        (.taggedJSON, json, true), (.text, .text(200, "ok"), true), (.text, json, false),
        (.init([200: .text, 503: .text]), .text(503, "leaving"), true), (.text, .text(503, "leaving"), false),
        (.file, .text(200, "x", type: "text/html"), true), (.file, HTTPResponse(status: 200), false),
    ])
    func `an answer has a declared status and what comes with it`(
        _ answers: RouteAnswers, _ answer: HTTPResponse, _ isDeclared: Bool
    ) {
        #expect(answers.allow(answer) == isDeclared)
    }

    @Test func `a request's route is found by the rules that serve it`() throws {
        let router = Router(PublicService.routes)
        #expect(router.route(for: try head("HEAD", "/healthz?x=1"))?.path == "/healthz")
        #expect(router.route(for: try head("DELETE", "/api/notifications/sn%6Foze"))?.path.hasSuffix("snooze") == true)
        #expect(router.route(for: try head("PUT", "/v1/feeds/a%2Fb/viewed"))?.body == .optionalJSON)
        #expect(router.route(for: try head("POST", "/healthz")) == nil)
    }
}
