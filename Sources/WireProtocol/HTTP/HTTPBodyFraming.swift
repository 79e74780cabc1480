/// How the end of a request's body is known (RFC 9112 §6.3).
enum HTTPBodyFraming: Sendable, Hashable {
    /// 0 where there is no body.
    case length(Int)
    case chunked

    /// Whatever two servers in a row could read differently is refused: that is how requests are smuggled.
    init(of head: HTTPRequestHead) throws(HTTPViolation) {
        let lengths = head.headers.values("Content-Length")
        guard !head.headers.values("Transfer-Encoding").isEmpty else {
            self = .length(try Self.length(from: lengths))
            return
        }
        guard lengths.isEmpty else { throw .badRequest("Content-Length together with Transfer-Encoding") }
        guard head.minorVersion > 0 else { throw .badRequest("Transfer-Encoding in HTTP/1.0") }
        let codings = head.headers.elements(of: "Transfer-Encoding").map { $0.equalsIgnoringCase("chunked") }
        guard codings.last == true, !codings.dropLast().contains(true) else {
            throw .badRequest("the body's end is unknown: chunked must be the last transfer coding, and once")
        }
        guard codings.count == 1 else {
            throw HTTPViolation(status: 501, reason: "the only transfer coding known here is chunked")
        }
        self = .chunked
    }

    private static func length(from values: [String]) throws(HTTPViolation) -> Int {
        guard let value = values.first else { return 0 }
        guard values.count == 1 else { throw .badRequest("more than one Content-Length field") }
        guard !value.isEmpty, value.utf8.allSatisfy(\.isDigit) else {
            throw .badRequest("Content-Length is not a number")
        }
        guard let length = Int(value) else { throw .tooLarge }
        return length
    }
}

extension HTTPViolation {
    static let tooLarge = HTTPViolation(status: 413, reason: "the body is too large")
}
