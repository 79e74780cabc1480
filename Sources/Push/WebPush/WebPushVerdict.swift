package import Inbox
import JSON

/// The meaning of a push service's reply (RFC 8030 §5, §7.3 and §8.4; RFC 8292 §4.2; Mozilla's autopush, "Error Codes";
/// ntfy, "server/errors.go"; Apple, "Sending web push notifications in web apps and browsers"; Microsoft, "Push
/// notification service request and response headers").
package struct WebPushVerdict: Sendable, Hashable {
    package let verdict: Verdict
    /// The body size for one more try after a body that was too large. Nil for every other reply, and for a body that
    /// cannot become much smaller.
    package let retryBytes: Int?

    /// For a push without a reply.
    package init(_ verdict: Verdict) {
        self.verdict = verdict
        retryBytes = nil
    }

    /// - Parameters:
    ///   - bodyBytes: the size of the request's body.
    ///   - now: the time of the reply.
    package init(_ reply: PushReply, bodyBytes: Int, at now: Timestamp) {
        retryBytes = reply.status == 413 ? Self.retryBytes(after: reply, bodyBytes) : nil
        verdict =
            switch reply.status {
            // UnifiedPush: any of them counts as 201, and ntfy answers 200.
            case 200..<300: .accepted
            // Push services tell no time; a browser that subscribes again gets a new URL.
            case 404, 410: .deviceGone(since: nil)
            // Every browser has its own service, and a failing one must not delay the others' pushes. 406 is
            // Microsoft's "exceeded its throttle limit"; 507 is ntfy's for a phone that has not connected lately.
            case 406, 408, 429, 500...: .busy(retryAfter: reply.retryAfter(at: now), scope: .device)
            case 401, 403: Self.unauthorized(reply, at: now)
            default: .refused(reason: Self.reason(reply))
            }
    }

    /// A subscription is bound to one key, and a topic of ntfy may be closed to everybody without an account. All other
    /// errors about the key are this server's.
    private static func unauthorized(_ reply: PushReply, at now: Timestamp) -> Verdict {
        if namesAnotherKey(reply) { return .refused(reason: otherKey) }
        if ntfyCode(reply) != nil { return .refused(reason: reason(reply)) }
        return .keyRefused(reason(reply), retryAfter: reply.retryAfter(at: now), scope: .device)
    }

    // MARK: Sizes

    /// autopush, for a browser that it reaches through another service: "limited to 3070 bytes".
    private static let constrainedBytes = 3_070
    /// A smaller body has no room for a text.
    private static let leastBytes = 512

    /// The limit that the service tells, else three quarters of the refused size.
    private static func retryBytes(after reply: PushReply, _ bodyBytes: Int) -> Int? {
        let named = toldLimit(reply).flatMap { $0 >= leastBytes && $0 < bodyBytes ? $0 : nil }
        let bytes = named ?? min(bodyBytes * 3 / 4, constrainedBytes)
        return bytes >= leastBytes ? bytes : nil
    }

    /// The first number behind "limit" in the service's message: "limited to 3070 bytes", "limit is 2048 bytes".
    private static func toldLimit(_ reply: PushReply) -> Int? {
        // An unreadable body tells no limit.
        let message = (try? JSONValue(parsing: reply.body))?.at(["message"])?.string ?? ""
        guard let word = message.firstRange(of: "limit") else { return nil }
        let digits = message[word.upperBound...].drop { !$0.isNumber }.prefix { $0.isNumber }
        return Int(digits)
    }

    // MARK: Reasons

    /// Apple's word for a subscription with another key; also used for the other services.
    private static let otherKey = "VapidPkHashMismatch"

    /// Whether the reply has Apple's word, or a known sentence of Google or Mozilla.
    private static func namesAnotherKey(_ reply: PushReply) -> Bool {
        let text = String(decoding: reply.body.prefix(1_024), as: UTF8.self).lowercased()
        return [otherKey.lowercased(), "not correspond to the credentials", "key mismatch"].contains {
            text.contains($0)
        }
    }

    /// The number in ntfy's answer: `{"code":40301,"http":403,"error":"forbidden"}`.
    private static func ntfyCode(_ reply: PushReply) -> Int64? {
        // An unreadable body has no number.
        guard let json = try? JSONValue(parsing: reply.body), json.at(["http"])?.int == Int64(reply.status) else {
            return nil
        }
        return json.at(["code"])?.int
    }

    /// The service's own word: Apple's `reason` (`BadJwtToken`), the number of Mozilla's `errno` or of ntfy's `code`,
    /// Microsoft's headers.
    /// Words and numbers only, because the reason goes into logs and trails, which must not hold a page of text.
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
        if let code = ntfyCode(reply) { return "HTTP \(reply.status), ntfy \(code)" }
        return "HTTP \(reply.status)" + (windowsReason(reply).map { ", WNS: \($0)" } ?? "")
    }

    /// The numbers of wrong requests (autopush, "Error Codes").
    private static let autopushErrors: [Int64: String] = [
        101: "missing crypto keys", 104: "payload too large", 108: "invalid router type", 109: "invalid authentication",
        110: "invalid crypto keys", 111: "missing header", 112: "invalid TTL", 113: "invalid Topic",
    ]

    /// Microsoft's service replies with an empty body and has the reason in headers.
    private static let windowsHeaders = ["x-wns-error-description", "x-wns-status", "x-wns-notificationstatus"]

    private static func windowsReason(_ reply: PushReply) -> String? {
        windowsHeaders.lazy.compactMap { reply.header($0) }.compactMap(plain).first
    }

    /// Nil for a text that may be more than a few words, such as an address.
    private static func plain(_ text: String) -> String? {
        let isPlain =
            text.utf8.count <= 120 && !text.contains("/") && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        let words = text.split(separator: " ").joined(separator: " ")
        return isPlain && !words.isEmpty ? String(words.last == "." ? words.dropLast() : words[...]) : nil
    }
}
