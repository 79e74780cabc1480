import JSON

/// What a push service's reply means (RFC 8030 §5, §7.3 and §8.4; RFC 8292 §4.2; Mozilla's autopush, "Error Codes").
package struct WebPushVerdict: Sendable, Hashable {
    package let verdict: Verdict

    package init(_ reply: PushReply) {
        verdict =
            switch reply.status {
            case 200, 201, 202: .accepted
            // Push services tell no time; a browser that subscribes again gets another URL.
            case 404, 410: .deviceGone(since: nil)
            // Every browser has a service of its own: one that errs must not hold the others' pushes back.
            case 408, 429, 500...: .busy(retryAfter: reply.retryAfter, scope: .device)
            default: .refused(reason: Self.reason(reply))
            }
    }

    /// The service's own word where it has one: Apple's `reason` (`VapidPkHashMismatch`), the number of Mozilla's `errno`.
    /// Words and numbers only: the reason goes into logs and trails, and a page of text does not belong there.
    private static func reason(_ reply: PushReply) -> String {
        let json = try? JSONValue(parsing: reply.body)  // what cannot be read has no reason in it
        if let word = json?.at(["reason"])?.string, (1...64).contains(word.utf8.count),
            word.allSatisfy({ $0.isASCII && $0.isLetter })
        {
            return word
        }
        if let number = json?.at(["errno"])?.int {
            return "HTTP \(reply.status), errno \(number)" + (autopushErrors[number].map { ": \($0)" } ?? "")
        }
        return "HTTP \(reply.status)"
    }

    /// Those that tell of a wrong request (autopush, "Error Codes").
    private static let autopushErrors: [Int64: String] = [
        101: "missing crypto keys", 104: "payload too large", 108: "invalid router type", 109: "invalid authentication",
        110: "invalid crypto keys", 111: "missing header", 112: "invalid TTL", 113: "invalid Topic",
    ]
}
