package import Inbox
import JSON

/// What a push service's reply means (RFC 8030 §5, §7.3 and §8.4; RFC 8292 §4.2; Mozilla's autopush, "Error Codes";
/// Apple, "Sending web push notifications in web apps and browsers"; Microsoft, "Push notification service request and
/// response headers").
package struct WebPushVerdict: Sendable, Hashable {
    package let verdict: Verdict
    /// The body was too large: how many bytes are worth one more try. Nil for every other reply, and for a body that
    /// cannot become much smaller.
    package let retryBytes: Int?

    /// Of a push without a reply.
    package init(_ verdict: Verdict) {
        self.verdict = verdict
        retryBytes = nil
    }

    /// - Parameters:
    ///   - bodyBytes: of the request's body.
    ///   - now: when the reply came.
    package init(_ reply: PushReply, bodyBytes: Int, at now: Timestamp) {
        retryBytes = reply.status == 413 ? Self.retryBytes(after: reply, bodyBytes) : nil
        verdict =
            switch reply.status {
            case 200, 201, 202: .accepted
            // Push services tell no time; a browser that subscribes again gets another URL.
            case 404, 410: .deviceGone(since: nil)
            // Every browser has a service of its own: one that errs must not hold the others' pushes back. 406 is
            // Microsoft's "exceeded its throttle limit".
            case 406, 408, 429, 500...: .busy(retryAfter: reply.retryAfter(at: now), scope: .device)
            // Which key a subscription was made with is the subscription's; everything else about the key is ours.
            case 401, 403:
                Self.namesAnotherKey(reply)
                    ? .refused(reason: Self.otherKey)
                    : .keyRefused(Self.reason(reply), retryAfter: reply.retryAfter(at: now), scope: .device)
            default: .refused(reason: Self.reason(reply))
            }
    }

    // MARK: Sizes

    /// autopush, for a browser that it reaches by way of another service: "limited to 3070 bytes".
    private static let constrainedBytes = 3_070
    /// With less there is no room for a text.
    private static let leastBytes = 512

    /// What the service names as its limit, else three quarters of what it refused.
    private static func retryBytes(after reply: PushReply, _ bodyBytes: Int) -> Int? {
        let named = toldLimit(reply).flatMap { (leastBytes..<bodyBytes).contains($0) ? $0 : nil }
        let bytes = named ?? min(bodyBytes * 3 / 4, constrainedBytes)
        return bytes >= leastBytes ? bytes : nil
    }

    /// The first number behind "limit" in the service's message: "limited to 3070 bytes", "limit is 2048 bytes".
    private static func toldLimit(_ reply: PushReply) -> Int? {
        // What cannot be read names no limit.
        let message = (try? JSONValue(parsing: reply.body))?.at(["message"])?.string ?? ""
        guard let word = message.firstRange(of: "limit") else { return nil }
        let digits = message[word.upperBound...].drop { !$0.isNumber }.prefix { $0.isNumber }
        return Int(digits)
    }

    // MARK: Reasons

    /// Apple's word for a subscription that was made with another key; told for the others' as well.
    private static let otherKey = "VapidPkHashMismatch"

    /// By Apple's word, else by what is known of Google's and Mozilla's prose.
    private static func namesAnotherKey(_ reply: PushReply) -> Bool {
        let text = String(decoding: reply.body.prefix(1_024), as: UTF8.self).lowercased()
        return [otherKey.lowercased(), "not correspond to the credentials", "key mismatch"].contains {
            text.contains($0)
        }
    }

    /// The service's own word where it has one: Apple's `reason` (`BadJwtToken`), the number of Mozilla's `errno`,
    /// Microsoft's headers. Words and numbers only: the reason goes into logs and trails, and a page of text does not
    /// belong there.
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
        return "HTTP \(reply.status)" + (windowsReason(reply).map { ", WNS: \($0)" } ?? "")
    }

    /// Those that tell of a wrong request (autopush, "Error Codes").
    private static let autopushErrors: [Int64: String] = [
        101: "missing crypto keys", 104: "payload too large", 108: "invalid router type", 109: "invalid authentication",
        110: "invalid crypto keys", 111: "missing header", 112: "invalid TTL", 113: "invalid Topic",
    ]

    /// Microsoft's service answers with an empty body and says why in headers.
    private static let windowsHeaders = ["x-wns-error-description", "x-wns-status", "x-wns-notificationstatus"]

    private static func windowsReason(_ reply: PushReply) -> String? {
        windowsHeaders.lazy.compactMap { reply.header($0) }.compactMap(plain).first
    }

    /// Nil for what may be more than a few words: an address, for instance.
    private static func plain(_ text: String) -> String? {
        let isPlain =
            text.utf8.count <= 120 && !text.contains("/") && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        let words = text.split(separator: " ").joined(separator: " ")
        return isPlain && !words.isEmpty ? String(words.last == "." ? words.dropLast() : words[...]) : nil
    }
}
