/// The rule for the end of a request's body (RFC 9112 §6.3).
enum HTTPBodyFraming: Sendable, Hashable {
    /// 0 without a body.
    case length(Int)
    case chunked

    /// Refuses every form that two servers in a row could read differently, because such forms smuggle requests.
    init(in headers: HTTPHeaders, minorVersion: Int) throws(HTTPViolation) {
        guard headers["Transfer-Encoding"] != nil else {
            self = .length(try Self.length(in: headers))
            return
        }
        let codings = headers.values("Transfer-Encoding")
        guard headers["Content-Length"] == nil else {
            throw .badRequest("Content-Length together with Transfer-Encoding")
        }
        guard minorVersion > 0 else { throw .badRequest("Transfer-Encoding in HTTP/1.0") }
        // Only the usual form, because readers differ about empty elements, second fields and parameters.
        guard codings.count == 1, codings[0].equalsIgnoringCase("chunked") else {
            throw Self.violation(ofCodingsIn: headers)
        }
        self = .chunked
    }

    /// 501 for a body with a clear end and an unknown coding, which is no attempt to smuggle; else 400.
    private static func violation(ofCodingsIn headers: HTTPHeaders) -> HTTPViolation {
        let codings = headers.elements(of: "Transfer-Encoding").map { $0.equalsIgnoringCase("chunked") }
        return codings.count > 1 && codings.last == true && !codings.dropLast().contains(true)
            ? HTTPViolation(status: 501, reason: "the only transfer coding known here is chunked")
            : .badRequest("the body's end is unknown: Transfer-Encoding must be chunked, once")
    }

    private static func length(in headers: HTTPHeaders) throws(HTTPViolation) -> Int {
        let value = try headers.only("Content-Length", else: .badRequest("more than one Content-Length field"))
        guard let value else { return 0 }
        guard !value.isEmpty, value.utf8.allSatisfy(\.isDigit) else {
            throw .badRequest("Content-Length is not a number")
        }
        guard let length = Int(value) else { throw .bodyTooLarge(limit: nil) }
        return length
    }
}
