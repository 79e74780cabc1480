package import Inbox

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

    /// The delay of `Retry-After`, in seconds or as a date (RFC 9110 §10.2.3); nil for any other text.
    ///
    /// A date in the past is no delay. At most a day: no push lives longer, and a huge number must not overflow a
    /// timestamp.
    package func retryAfter(at now: Timestamp) -> Duration? {
        guard let text = header("retry-after") else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace)
        if words.count == 1, words[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            return min(.seconds(Int64(words[0]) ?? Self.longestDelay.components.seconds), Self.longestDelay)
        }
        return Timestamp(httpDate: text).map { min(max($0 - now, .zero), Self.longestDelay) }
    }

    private static let longestDelay = Duration.seconds(86_400)
}
