import Inbox
import JSON
import WireProtocol

/// The form in which a request brings events: Belfry's own, or one of the content modes of the HTTP Protocol Binding for
/// CloudEvents 1.0.2 (https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md §1.3).
enum PublicationForm: Sendable {
    case own
    /// The body is one CloudEvent in the JSON Event Format (§3.2).
    case structured
    /// The body is an array of them (§3.3).
    case batch
    /// The body is the event's data, and headers with the prefix `ce-` are its attributes (§3.1).
    case binary

    private static let notAcceptable = Problem(
        status: 415, code: "unsupported_media_type",
        detail: """
            Content-Type: expected JSON: application/cloudevents+json, application/cloudevents-batch+json, or with ce- \
            headers application/json
            """)

    /// - Throws: 415 for a CloudEvent that is not JSON, 422 for an idempotency key beside its own.
    init(_ head: HTTPRequestHead) throws(Problem) {
        guard head.isCloudEvent else {
            self = .own
            return
        }
        try IdempotencyKey.refuse(in: head, expecting: "the key of a CloudEvent is its source and id")
        switch head.mediaType {
        case "application/cloudevents+json": self = .structured
        case "application/cloudevents-batch+json": self = .batch
        case let type? where type.hasPrefix("application/cloudevents") || !CloudEvent.isJSON(type):
            throw Self.notAcceptable
        default: self = .binary
        }
    }

    /// The events of a request in Belfry's own form.
    ///
    /// - Throws: a problem that points into the request as it was sent.
    func read(_ head: HTTPRequestHead, _ body: [UInt8]) throws(Problem) -> SentEvents {
        switch self {
        case .own: return SentEvents(body: body)
        case .structured:
            return .one(try CloudEvent(CloudEventAttributes(of: JSONBody.unambiguous(body))), head: head)
        case .binary:
            return .one(
                try CloudEvent(CloudEventAttributes(of: head.headers), data: JSONBody.unambiguous(body)), head: head)
        case .batch:
            guard let elements = try JSONBody.unambiguous(body).array else {
                throw Problem(status: 422, code: "wrong_type", detail: "expected an array of CloudEvents")
            }
            var events: [CloudEvent] = []
            for (index, element) in elements.enumerated() {
                events.append(try CloudEvent(CloudEventAttributes(of: element, index: index)))
            }
            return .several(events)
        }
    }

    /// A problem of an event in Belfry's own form, which points into the request as it was sent.
    func placed(_ problem: Problem) -> Problem {
        guard let pointer = problem.pointer else { return problem }
        var placed = problem
        switch self {
        case .own: break
        case .structured: placed.pointer = Self.place(of: pointer[...])
        case .batch:
            // "/3/to/owner": the event's index comes first. Octet by octet, as a member's name may begin with a mark that
            // joins the slash before it.
            let rest = pointer.utf8.dropFirst().drop { $0 != UInt8(ascii: "/") }
            placed.pointer = pointer[..<rest.startIndex] + Self.place(of: Substring(rest))
        case .binary:
            guard let attribute = Self.attribute(of: pointer[...]) else { break }
            placed.pointer = nil
            placed.detail = "ce-\(attribute): \(problem.detail)"
        }
        return placed
    }

    /// The place in a CloudEvent of a place in Belfry's own form.
    private static func place(of pointer: Substring) -> String {
        if pointer.isEmpty { return "" }
        return attribute(of: pointer).map { "/\($0)" } ?? "/data\(pointer)"
    }

    private static func attribute(of pointer: Substring) -> String? {
        switch pointer {
        case "/type": "type"
        case "/key": "id"
        case "/occurredAt": "time"
        default: nil
        }
    }
}
