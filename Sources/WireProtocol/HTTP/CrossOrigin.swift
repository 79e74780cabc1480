/// The pages of other origins that may send requests and read the answers: the CORS protocol
/// (https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// Browsers enforce it for pages; programs need no permission. Cookies are not used, so there is no
/// `Access-Control-Allow-Credentials`.
package struct CrossOrigin: Sendable {
    /// The seconds for which a browser need not ask again. Chrome's own maximum is the same.
    private static let maximumAge = "7200"

    private let origins: OriginRules
    private let requestHeaders: [String]
    private let responseHeaders: String

    /// Nil if the rules name no origin. Otherwise pages of all origins could read, through browsers inside a network,
    /// all that callers get there without a token.
    ///
    /// - Parameters:
    ///   - requestHeaders: the fields that pages may always send.
    ///   - responseHeaders: the fields that pages may read, beside those that every page may read.
    package init?(_ origins: OriginRules, requestHeaders: [String], responseHeaders: [String]) {
        guard origins.nameAny else { return nil }
        self.origins = origins
        self.requestHeaders = requestHeaders
        self.responseHeaders = responseHeaders.joined(separator: ", ")
    }

    /// Whether a browser asks with this request if a page may send another request.
    package static func isPreflight(_ head: HTTPRequestHead) -> Bool {
        head.method == "OPTIONS" && head.origin != nil && head.headers["Access-Control-Request-Method"] != nil
    }

    /// Whether the request is from a page of an allowed origin.
    package func allows(_ head: HTTPRequestHead) -> Bool { head.origin != nil && origins.allow(head.headers) }

    /// The answer to a preflight of an allowed origin; ``share(_:with:)`` must follow, as for every answer. The page
    /// may send each field that it asks for: tools for pages add their own, such as `traceparent`, and unknown fields
    /// are not read.
    ///
    /// - Parameters:
    ///   - methods: the methods of the path.
    ///   - head: the preflight.
    package func permission(for methods: [String], asked head: HTTPRequestHead) -> HTTPResponse {
        var allowed = requestHeaders
        for name in head.headers.elements(of: "Access-Control-Request-Headers") where Array(name.utf8).isToken {
            if !allowed.contains(where: name.equalsIgnoringCase) { allowed.append(name) }
        }
        var headers = HTTPHeaders()
        headers.add("Access-Control-Allow-Methods", methods.joined(separator: ", "))
        headers.add("Access-Control-Allow-Headers", allowed.joined(separator: ", "))
        headers.add("Access-Control-Max-Age", Self.maximumAge)
        return HTTPResponse(status: 204, headers: headers)
    }

    /// The answer to `head`, with the fields that let a page of an allowed origin read it.
    ///
    /// An answer to a request without `Origin` stays unchanged, even without `Vary`. No answer tells how long it is
    /// fresh, so a cache asks again, and then learns what a page may read. An answer for all origins is already marked.
    package func share(_ response: HTTPResponse, with head: HTTPRequestHead) -> HTTPResponse {
        guard let origin = head.origin, response.headers["Access-Control-Allow-Origin"] == nil else { return response }
        var response = response
        response.headers.add("Vary", "Origin")
        guard origins.allow(head.headers) else { return response }
        response.headers.add("Access-Control-Allow-Origin", origin)
        response.headers.add("Access-Control-Expose-Headers", responseHeaders)
        return response
    }
}
