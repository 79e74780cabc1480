import Transport
import WireProtocol

/// The answers that an endpoint may give.
struct RouteAnswers: Sendable {
    /// What comes with a status that is no problem.
    enum Content: String, Sendable {
        case nothing
        case json = "application/json"
        case text = "text/plain"
        /// As ``EventStreamRequest/answer`` has it.
        case events = "text/event-stream"
        /// Of the type that a file's name says.
        case file
    }

    /// The problems that each endpoint may have: with the request's form, its token, its rate, the store and the disk.
    static let usualProblems: Set<Int> = [400, 401, 429, 500, 503, 507]

    static let json = RouteAnswers([200: .json])
    /// JSON with an `ETag`, or the answer to a client that has it already.
    static let taggedJSON = RouteAnswers([200: .json, 304: .nothing])
    static let accepted = RouteAnswers([202: .json])
    static let nothing = RouteAnswers([204: .nothing])
    /// A browser is sent to another page.
    static let elsewhere = RouteAnswers([303: .nothing])
    /// A file, or the answer to a client that has it already.
    static let file = RouteAnswers([200: .file, 304: .nothing])
    static let text = RouteAnswers([200: .text])

    private(set) var contents: [Int: Content]
    /// The statuses of further problems (RFC 9457).
    private(set) var problems: Set<Int> = []

    init(_ contents: [Int: Content]) { self.contents = contents }

    /// The same, or problems with these statuses.
    func or(_ problems: Int...) -> RouteAnswers {
        var answers = self
        answers.problems.formUnion(problems)
        return answers
    }

    func allow(_ response: HTTPResponse) -> Bool {
        let type = response.headers.mediaType
        if let content = contents[response.status] {
            return switch content {
            case .nothing: response.body.isEmpty
            case .json, .text, .events: type == content.rawValue
            case .file: type != nil
            }
        }
        return type == "application/problem+json"
            && (problems.contains(response.status) || Self.usualProblems.contains(response.status))
    }
}

extension Router {
    /// The reply to a request; in a debug build it traps on an answer that the request's route does not declare.
    func checked(_ reply: HTTPReply, to head: HTTPRequestHead) -> HTTPReply {
        #if DEBUG
            if let route = route(for: head) {
                return reply.checking { answer in
                    assert(route.answers.allow(answer), "\(route.method) \(route.path) declares no \(answer.status)")
                }
            }
        #endif
        return reply
    }
}
