/// A provider's answer to one request.
package struct PushReply: Sendable {
    package var status: Int
    /// Names in lower case.
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// What `Retry-After` asks for, in its form of seconds (RFC 9110 §10.2.3); nil for a date or anything else.
    ///
    /// At most a day: no push outlives that, and a mad number must not overflow a timestamp.
    package var retryAfter: Duration? {
        guard let text = header("retry-after"), !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return .seconds(min(Int64(text) ?? .max, 86_400))
    }
}
