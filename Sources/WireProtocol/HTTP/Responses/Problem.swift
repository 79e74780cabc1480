package import JSON

/// An error in the form for HTTP clients (RFC 9457), with a `code` that programs may rely on.
package struct Problem: Error, Sendable, Hashable {
    package var status: Int
    /// Stable, in snake_case.
    package var code: String
    /// For people: the mistake and the expectation. Never a secret, never a notification's text.
    package var detail: String
    /// The place in the request's JSON, as a JSON pointer (RFC 6901).
    package var pointer: String?
    /// The seconds after which a retry makes sense.
    package var retryAfter: Int?

    package init(status: Int, code: String, detail: String, pointer: String? = nil, retryAfter: Int? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.pointer = pointer
        self.retryAfter = retryAfter
    }

    /// Writes the problem as one JSON object.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("type", "about:blank")
            json.member("title", HTTPResponse.reasonPhrase(of: status))
            json.member("status", status)
            json.member("code", code)
            json.member("detail", detail)
            if let pointer { json.member("pointer", pointer) }
            if let retryAfter { json.member("retryAfter", retryAfter) }
        }
    }

    package var response: HTTPResponse {
        var json = JSONWriter(capacity: 256)
        write(to: &json)
        var headers = HTTPHeaders()
        headers.add("Content-Type", "application/problem+json")
        if let retryAfter { headers.add("Retry-After", String(retryAfter)) }
        return HTTPResponse(status: status, headers: headers, body: json.bytes)
    }
}
