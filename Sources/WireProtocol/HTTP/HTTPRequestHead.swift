/// A request line and its header fields, checked.
///
/// By reference: it goes from hand to hand while a request is read and answered, and has a dozen strings.
package final class HTTPRequestHead: Sendable {
    package let method: String
    /// As it was sent.
    package let target: String
    private let parts: HTTPTarget
    private let fields: HTTPHeaders
    /// Whether `fields` have the length of another body.
    private let isForOtherBody: Bool
    /// What the body is said to be, in lower case and without parameters. Kept, as a head mostly stands for many
    /// requests.
    package let mediaType: String?
    /// 0 or 1, of HTTP/1.
    package let minorVersion: Int
    /// Host and port that the client asked for: the target's own, else the `Host` field's.
    package let authority: String?
    /// Whether the connection may carry another request after this one (RFC 9112 §9.3).
    package let isKeepAlive: Bool
    let framing: HTTPBodyFraming
    package let contentCoding: HTTPContentCoding
    /// `Idempotency-Key` as it was sent. Kept, like what the body is said to be.
    package let idempotencyKey: String?
    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    package let expectsContinue: Bool

    /// - Throws: what of the request line, of `Host` and `Expect`, or of how the body ends breaks RFC 9110 or RFC 9112.
    package convenience init(
        method: String, target: String, headers: HTTPHeaders, minorVersion: Int = 1
    ) throws(HTTPViolation) {
        try self.init(HTTPRequestLine(method: method, target: target, minorVersion: minorVersion), headers: headers)
    }

    init(_ line: HTTPRequestLine, headers: HTTPHeaders) throws(HTTPViolation) {
        (method, target, minorVersion) = (line.method, line.target, line.minorVersion)
        fields = headers
        try Self.refuseRepetition(in: headers)
        isForOtherBody = false
        mediaType = headers.mediaType
        contentCoding = HTTPContentCoding(headers)
        idempotencyKey = headers["Idempotency-Key"]
        parts = line.parts
        let host = try Self.host(in: headers, minorVersion: line.minorVersion)
        authority = parts.authority ?? host
        let expectations = line.minorVersion > 0 ? headers.elements(of: "Expect") : []
        guard expectations.allSatisfy({ $0.equalsIgnoringCase("100-continue") }) else {
            throw HTTPViolation(status: 417, reason: "the only expectation known here is 100-continue")
        }
        expectsContinue = !expectations.isEmpty
        let options = headers.elements(of: "Connection")
        isKeepAlive =
            !options.contains { $0.equalsIgnoringCase("close") }
            && (line.minorVersion > 0 || options.contains { $0.equalsIgnoringCase("keep-alive") })
        framing = try HTTPBodyFraming(in: headers, minorVersion: line.minorVersion)
    }

    private init(_ other: HTTPRequestHead, bodyBytes: Int) {
        (method, target, parts, minorVersion) = (other.method, other.target, other.parts, other.minorVersion)
        (fields, isForOtherBody) = (other.fields, true)
        (mediaType, authority, isKeepAlive) = (other.mediaType, other.authority, other.isKeepAlive)
        (framing, expectsContinue) = (.length(bodyBytes), other.expectsContinue)
        (contentCoding, idempotencyKey) = (other.contentCoding, other.idempotencyKey)
    }

    /// What a head that tells its body's length is with this one in its place.
    func withBody(ofBytes count: Int) -> HTTPRequestHead {
        framing == .length(count) ? self : HTTPRequestHead(self, bodyBytes: count)
    }

    package var headers: HTTPHeaders {
        // Put together only where it is asked for: few look at fields, and at this one hardly anybody.
        guard isForOtherBody, let bodyBytes else { return fields }
        return fields.replacing("Content-Length", with: String(bodyBytes))
    }

    /// The origin of the web page that a browser sends the request for (RFC 6454 §7); nil where none is told.
    var origin: String? { fields["Origin"] }

    /// Whether it announces a body that is not empty, as far as it tells.
    package var hasBody: Bool { framing != .length(0) }
    /// How long the body is; nil where only its end will tell.
    package var bodyBytes: Int? { if case .length(let length) = framing { length } else { nil } }

    /// Percent-decoded, without the query. Dots are not resolved.
    package var path: String { parts.path }
    /// The parts of the path between its slashes, decoded each by itself: a `%2F` stays inside its part.
    package var segments: [String] { parts.segments }
    package var query: HTTPQuery { parts.query }

    /// Fields that are no lists (RFC 9110 §5.3), and by which a request is judged: of two, each reader might go by
    /// another one.
    private static let onlyOnce = ["Authorization", "Content-Type", "Idempotency-Key"]

    private static func refuseRepetition(in headers: HTTPHeaders) throws(HTTPViolation) {
        for name in onlyOnce { _ = try headers.only(name, else: .badRequest("more than one \(name) field")) }
    }

    private static func host(in headers: HTTPHeaders, minorVersion: Int) throws(HTTPViolation) -> String? {
        // RFC 9112 §3.2: two of them, and two servers in a row may each believe another one.
        guard let host = try headers.only("Host", else: .badRequest("more than one Host field")) else {
            guard minorVersion == 0 else { throw .badRequest("the Host field is missing") }
            return nil
        }
        guard HTTPAuthority(host) != nil else { throw .badRequest("the Host field is malformed") }
        return host
    }
}
