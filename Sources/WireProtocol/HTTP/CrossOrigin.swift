/// Which pages of other origins may call, and read what is answered: the CORS protocol
/// (https://fetch.spec.whatwg.org/#http-cors-protocol).
///
/// Browsers keep pages to it. A program is refused nothing, as it needs no leave. Cookies and the like play no part
/// here, so there is no `Access-Control-Allow-Credentials`.
package struct CrossOrigin: Sendable {
    /// For how many seconds a browser need not ask again. Chrome remembers no longer than that, whatever is said.
    private static let maximumAge = "7200"

    private let origins: OriginRules
    private let requestHeaders: [String]
    private let responseHeaders: String

    /// Nil if the rules name no origin. Pages of all origins would read, through browsers inside a network, what
    /// callers get there without a token.
    ///
    /// - Parameters:
    ///   - requestHeaders: what pages are told that they may send, whatever they ask for.
    ///   - responseHeaders: what pages may read beside what every page may.
    package init?(_ origins: OriginRules, requestHeaders: [String], responseHeaders: [String]) {
        guard origins.nameAny else { return nil }
        self.origins = origins
        self.requestHeaders = requestHeaders
        self.responseHeaders = responseHeaders.joined(separator: ", ")
    }

    /// Whether a browser asks with this request if a page may send another one.
    package func isPreflight(_ head: HTTPRequestHead) -> Bool {
        head.method == "OPTIONS" && head.origin != nil && head.headers["Access-Control-Request-Method"] != nil
    }

    /// Whether the request is from a page of an allowed origin.
    package func allows(_ head: HTTPRequestHead) -> Bool { head.origin != nil && origins.allow(head.headers) }

    /// The answer to a preflight of an allowed origin, to be shared as every answer is. The page may send each field
    /// that it asks for: tools that pages are built with add their own, such as `traceparent`, and what is not known
    /// here is not read.
    ///
    /// - Parameters:
    ///   - methods: those of the path.
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

    /// The answer to `head`, with what lets a page of an allowed origin read it.
    ///
    /// To a request without `Origin` it stays as it is, also without `Vary`. No answer tells for how long it is fresh:
    /// a cache that kept one asks again, and hears then what a page may read. An answer that is for all origins says so
    /// already.
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
