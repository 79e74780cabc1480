/// Why bytes are no acceptable HTTP message, with the status of the answer before the connection closes.
package struct HTTPViolation: Error, Sendable, Hashable {
    package let status: Int
    /// For the peer's developer; holds no bytes of the peer.
    package let reason: String

    package init(status: Int, reason: String) {
        self.status = status
        self.reason = reason
    }

    static func badRequest(_ reason: String) -> HTTPViolation { HTTPViolation(status: 400, reason: reason) }

    /// - Parameter limit: of the body's bytes; nil for a length that no number can hold.
    static func bodyTooLarge(limit: Int?) -> HTTPViolation {
        let expectation = limit.map { ": expected at most \($0) bytes" } ?? ""
        return HTTPViolation(status: 413, reason: "the body is too large\(expectation)")
    }

    package static let timeout = HTTPViolation(status: 408, reason: "the request took too long to arrive")

    /// A streamed answer is sent in chunks, which HTTP/1.0 lacks.
    package static let needsChunks = HTTPViolation(status: 505, reason: "a streamed answer needs HTTP/1.1")

    /// Bytes behind a request for an upgrade belong to the next protocol. With a body, two servers in a row could
    /// disagree where the next protocol begins.
    package static let upgradeWithBody = badRequest("a request for an upgrade has a body")
}

extension HTTPViolation {
    /// The violation in the form for the client, with a code that programs may rely on.
    package var problem: Problem { Problem(status: status, code: code, detail: reason) }

    /// One code for each status; 414 and 431 share one.
    package var code: String {
        switch status {
        case 408: "request_timeout"
        case 413: "body_too_large"
        case 414, 431: "head_too_large"
        case 415: "unsupported_media_type"
        case 417: "unsupported_expectation"
        case 501: "not_implemented"
        case 505: "unsupported_version"
        default: "bad_request"
        }
    }
}
