/// A checked request line and its header fields.
///
/// A class, because it is passed on many times while a request is read and answered, and has a dozen strings.
package final class HTTPRequestHead: Sendable {
    package let method: String
    /// As it was sent.
    package let target: String
    private let parts: HTTPTarget
    private let fields: HTTPHeaders
    /// Whether `fields` have the `Content-Length` of another body.
    private let isForOtherBody: Bool
    /// The media type in lower case, without parameters. Stored, because one head mostly serves many requests.
    package let mediaType: String?
    /// The minor version of HTTP/1: 0 or 1.
    package let minorVersion: Int
    /// The requested host and port: of the target, else of the `Host` field.
    package let authority: String?
    /// Whether the connection may carry another request after this one (RFC 9112 §9.3).
    ///
    /// False if it asks for another protocol. A proxy that does not wait for the 101 takes what follows for that protocol,
    /// and would pass on requests that it refuses otherwise.
    package let isKeepAlive: Bool
    let framing: HTTPBodyFraming
    package let contentCoding: HTTPContentCoding
    /// `Idempotency-Key` as it was sent. Stored for the same reason as ``mediaType``.
    package let idempotencyKey: String?
    /// Whether the media type or a header says that the request brings CloudEvents. Stored for the same reason.
    package let isCloudEvent: Bool
    /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    package let expectsContinue: Bool

    /// - Throws: a violation of RFC 9110 or RFC 9112 by the request line, by `Host` or `Expect`, or by the body's
    ///   framing.
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
        isCloudEvent =
            mediaType?.hasPrefix("application/cloudevents") == true || headers["ce-specversion"] != nil
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
            !options.contains { $0.equalsIgnoringCase("close") } && headers["Upgrade"] == nil
            && (line.minorVersion > 0 || options.contains { $0.equalsIgnoringCase("keep-alive") })
        framing = try HTTPBodyFraming(in: headers, minorVersion: line.minorVersion)
    }

    private init(_ other: HTTPRequestHead, bodyBytes: Int) {
        (method, target, parts, minorVersion) = (other.method, other.target, other.parts, other.minorVersion)
        (fields, isForOtherBody) = (other.fields, true)
        (mediaType, authority, isKeepAlive) = (other.mediaType, other.authority, other.isKeepAlive)
        (framing, expectsContinue) = (.length(bodyBytes), other.expectsContinue)
        (contentCoding, idempotencyKey) = (other.contentCoding, other.idempotencyKey)
        isCloudEvent = other.isCloudEvent
    }

    /// This head with another body length.
    func withBody(ofBytes count: Int) -> HTTPRequestHead {
        framing == .length(count) ? self : HTTPRequestHead(self, bodyBytes: count)
    }

    package var headers: HTTPHeaders {
        // Computed on demand: few callers read the fields, and hardly any reads this one.
        guard isForOtherBody, let bodyBytes else { return fields }
        return fields.replacing("Content-Length", with: String(bodyBytes))
    }

    /// The origin of the web page that causes the request (RFC 6454 §7); nil without one.
    var origin: String? { fields["Origin"] }

    /// Whether the head announces a body; a chunked body may still be empty.
    package var hasBody: Bool { framing != .length(0) }
    /// The length of the body; nil for a chunked body.
    package var bodyBytes: Int? { if case .length(let length) = framing { length } else { nil } }

    /// Percent-decoded, without the query. Dots are not resolved.
    package var path: String { parts.path }
    /// The parts of the path between its slashes, each decoded by itself: a `%2F` stays inside its part.
    package var segments: [String] { parts.segments }
    package var query: HTTPQuery { parts.query }

    /// Fields that decide about a request and are no lists (RFC 9110 §5.3). Of two values, each reader might use
    /// another one.
    private static let onlyOnce = ["Authorization", "Content-Type", "Idempotency-Key"]

    private static func refuseRepetition(in headers: HTTPHeaders) throws(HTTPViolation) {
        for name in onlyOnce { _ = try headers.only(name, else: .badRequest("more than one \(name) field")) }
    }

    private static func host(in headers: HTTPHeaders, minorVersion: Int) throws(HTTPViolation) -> String? {
        // RFC 9112 §3.2: of two fields, two servers in a row might each use another one.
        guard let host = try headers.only("Host", else: .badRequest("more than one Host field")) else {
            guard minorVersion == 0 else { throw .badRequest("the Host field is missing") }
            return nil
        }
        guard HTTPAuthority(host) != nil else { throw .badRequest("the Host field is malformed") }
        return host
    }
}
