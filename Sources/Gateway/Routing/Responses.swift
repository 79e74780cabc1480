import Inbox
import JSON
import Store
import WireProtocol

extension HTTPResponse {
    static func json(_ status: Int = 200, _ body: (inout JSONWriter) -> Void) -> HTTPResponse {
        var json = JSONWriter(capacity: 256)
        body(&json)
        return HTTPResponse(status: status, headers: jsonHeaders, body: json.bytes)
    }

    static func object(_ status: Int = 200, _ members: (inout JSONWriter) -> Void) -> HTTPResponse {
        json(status) { $0.object(members) }
    }

    /// An object whose only member `data` has the value that `write` writes.
    static func data(_ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        object { json in
            json.key("data")
            write(&json)
        }
    }

    private static let jsonHeaders: HTTPHeaders = ["Content-Type": "application/json"]

    static func text(_ status: Int = 200, _ text: String, type: String = "text/plain; charset=utf-8") -> HTTPResponse {
        var headers = HTTPHeaders()
        headers.add("Content-Type", type)
        return HTTPResponse(status: status, headers: headers, body: Array(text.utf8))
    }

    func adding(_ name: String, _ value: String) -> HTTPResponse {
        var response = self
        response.headers.add(name, value)
        return response
    }
}

extension HTTPResponse {
    /// The answer for a path that exists only for these other methods.
    static func methodNotAllowed(_ methods: [String]) -> HTTPResponse {
        // Names all methods (RFC 9110 §15.5.6); HEAD works wherever GET does.
        let allowed = methods.flatMap { $0 == "GET" ? [$0, "HEAD"] : [$0] }
        return Problem.methodNotAllowed(methods).response.adding("Allow", allowed.joined(separator: ", "))
    }
}

extension Problem {
    static let notFound = Problem(status: 404, code: "not_found", detail: "there is nothing at this path")

    static let needlessSlash = Problem(
        status: 404, code: "not_found",
        detail: "there is nothing at this path; expected it without the slash at its end")

    /// For pages of other sites, which would act with the rights of the browser's user.
    static let forbiddenOrigin = Problem(
        status: 403, code: "forbidden_origin", detail: "pages of this Origin may not connect")

    /// - Parameter seconds: the time until the next span begins.
    static func tooFast(_ seconds: Int) -> Problem {
        Problem(
            status: 429, code: "too_many_requests", detail: "too many requests within ten seconds",
            retryAfter: seconds)
    }

    static let tooManySessions = Problem(
        status: 503, code: "too_many_sessions",
        detail: "this user has the largest number of sessions that a user may have",
        retryAfter: 10)

    static let unknownSession = Problem(
        status: 404, code: "unknown_session",
        detail: "this node has no open session of this name without a WebSocket; connect again")

    /// The process has no descriptors left for one more.
    ///
    /// - Parameter jitter: uniform in 0..<1. It spreads the returns of refused clients over 25 seconds.
    static func noRoomForPolls(jitter: Double) -> Problem {
        Problem(
            status: 503, code: "too_many_connections", detail: "the server has no room for another session",
            retryAfter: 5 + Int(jitter * 26))
    }

    /// For a poll that another one has overtaken.
    static let pollSuperseded = Problem(
        status: 409, code: "poll_superseded",
        detail: "another poll of this session came later, or has confirmed these frames")

    static func methodNotAllowed(_ allowed: [String]) -> Problem {
        Problem(status: 405, code: "method_not_allowed", detail: "expected \(allowed.joined(separator: " or "))")
    }

    /// A wrong parameter of the path or the query.
    static func parameter(_ detail: String) -> Problem {
        Problem(status: 400, code: "invalid_parameter", detail: detail)
    }

    /// - Parameter name: as it was sent; JSON escapes it.
    static func parameter(_ name: String, _ detail: String) -> Problem { parameter("\(name): \(detail)") }

    static func unknownParameter(_ name: String, known: [String]) -> Problem {
        let isTaken = !known.isEmpty
        return parameter(
            name, isTaken ? "unknown parameter\(Spelling.hint(for: name, among: known))" : "expected no parameters")
    }

    static func unauthorized(_ problem: TokenProblem?) -> Problem {
        if problem == .keysPending {
            // Nobody can say yet whether the token is good, so a client must not throw it away.
            return Problem(
                status: 503, code: TokenProblem.keysPending.code, detail: problem?.message ?? "", retryAfter: 3)
        }
        return Problem(
            status: 401, code: problem?.code ?? "missing_token",
            detail: problem?.message ?? "expected the header Authorization: Bearer <token>")
    }

    /// - Parameter index: the event's index in an array; nil for a single event.
    init(_ problem: EventProblem, index: Int? = nil) {
        self.init(
            status: 422, code: problem.code, detail: problem.message,
            pointer: (index.map { "/\($0)" } ?? "") + problem.pointer)
    }

    init(_ error: StoreError) {
        switch error {
        case .keyReused(let index):
            self.init(
                status: 409, code: "key_reused", detail: "this key was used for another event within the last day",
                pointer: "/\(index)/key")
        case .overloaded:
            self.init(
                status: 503, code: "overloaded", detail: "too many events wait to be stored; try again shortly",
                retryAfter: 1)
        case .closed:
            self.init(status: 503, code: "leaving", detail: "this node is shutting down", retryAfter: 1)
        case .tooManyDevices:
            self.init(
                status: 507, code: "too_many_devices",
                detail: "there is no room for another device until one is removed",
                retryAfter: 3_600)
        case .diskFull:
            self.init(
                status: 507, code: "disk_full", detail: "the disk is full, and nothing was changed",
                retryAfter: 5)
        case .unreachable:
            self.init(
                status: 503, code: "store_unreachable",
                detail: "the database cannot be reached at the moment; try again, an event under its key",
                retryAfter: 2)
        case .damaged:
            self.init(
                status: 503, code: "store_damaged", detail: "the store is damaged and accepts no more writes",
                retryAfter: 60)
        case .failed:
            self.init(
                status: 500, code: "store_failed", detail: "nothing was changed; the server's log has the reason",
                retryAfter: 1)
        }
    }

    var authenticated: HTTPResponse {
        status == 401 ? response.adding("WWW-Authenticate", "Bearer") : response
    }
}
