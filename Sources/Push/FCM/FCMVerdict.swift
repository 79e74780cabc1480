package import Inbox
import JSON

/// The meaning of a reply of FCM (Firebase, "ErrorCode" and "FCM Error Codes").
package struct FCMVerdict: Sendable, Hashable {
    package let verdict: Verdict
    /// The access token was refused: tell ``GoogleAccessToken/rejected(_:at:)``.
    package let isTokenExpired: Bool

    /// The pause of a sender over its quota if the reply tells no delay: quotas are counted by the minute (Firebase,
    /// "Best practices when sending FCM messages at scale").
    private static let quotaPause = Duration.seconds(60)

    private init(_ verdict: Verdict, isTokenExpired: Bool = false) {
        self.verdict = verdict
        self.isTokenExpired = isTokenExpired
    }

    /// FCM's own code counts before the status. `SENDER_ID_MISMATCH` keeps the device: every device gets it if the
    /// service account belongs to another project.
    ///
    /// - Parameter now: the time of the reply.
    package init(_ reply: PushReply, at now: Timestamp) {
        // The body of a success only names the message.
        guard reply.status != 200 else {
            self.init(.accepted)
            return
        }
        let failure = FCMFailure(reply.body)
        let word = failure?.reason ?? "HTTP \(reply.status)"
        let delay = reply.retryAfter(at: now)
        switch failure?.code {
        case "UNREGISTERED": self.init(.deviceGone(since: nil))
        case "INVALID_ARGUMENT" where failure?.isAboutToken == true: self.init(.deviceGone(since: nil))
        case "INVALID_ARGUMENT", "SENDER_ID_MISMATCH": self.init(.refused(reason: word))
        // About Apple's or the browser's credentials in the Firebase project, not about this token. Android has its
        // own.
        case "THIRD_PARTY_AUTH_ERROR": self.init(.keyRefused(word, retryAfter: delay, scope: .device))
        // Google's own code without one of FCM's: the Firebase project does not exist.
        case "NOT_FOUND": self.init(.keyRefused(word, retryAfter: delay))
        case "QUOTA_EXCEEDED": self.init(.busy(retryAfter: delay ?? Self.quotaPause, scope: .provider))
        case "UNAVAILABLE", "INTERNAL": self.init(.busy(retryAfter: delay, scope: .provider))
        case .some, nil: self.init(status: reply.status, word, delay)
        }
    }

    /// The verdict for a push whose access token is refused and cannot be replaced.
    package static let tokenRefused = Verdict.keyRefused("UNAUTHENTICATED")

    private init(status: Int, _ word: String, _ delay: Duration?) {
        switch status {
        case 401: self.init(.keyRefused(word, retryAfter: delay), isTokenExpired: true)
        // The service account may not send, or the API is switched off in its project.
        case 403: self.init(.keyRefused(word, retryAfter: delay))
        case 429: self.init(.busy(retryAfter: delay ?? Self.quotaPause, scope: .provider))
        case 408, 500...: self.init(.busy(retryAfter: delay, scope: .provider))
        default: self.init(.refused(reason: word))
        }
    }
}

/// The JSON body of a reply that is not a success (Google's `google.rpc.Status`, with FCM's details).
private struct FCMFailure {
    /// FCM's own code, `UNREGISTERED`, else Google's, `NOT_FOUND`.
    let code: String
    /// The wrong field of the message, `message.android.ttl`.
    let field: String?
    /// Whether the error is about the registration token only.
    let isAboutToken: Bool

    /// Nil for another form, such as a proxy's page.
    init?(_ body: [UInt8]) {
        // An unreadable body has no reason, and the status alone decides. Google's older front ends put the error into
        // an array.
        guard let json = try? JSONValue(parsing: body), let error = Self.first(json).at(["error"]).map(Self.first)
        else {
            return nil
        }
        let details = error.at(["details"]).map { $0.array ?? [$0] } ?? []
        let own = details.lazy.compactMap(Self.ownCode).first
        guard let code = own ?? error.at(["status"])?.string.flatMap(Self.word) else { return nil }
        self.code = code
        let violations = details.lazy.compactMap { $0.at(["fieldViolations"])?.array?.first }
        field = violations.first?.at(["field"])?.string.map(Self.plain)
        isAboutToken = own == "INVALID_ARGUMENT" && Self.isAboutToken(field, error.at(["message"])?.string ?? "")
    }

    private static func first(_ value: JSONValue) -> JSONValue { value.array?.first ?? value }

    /// The code in a detail of the type `google.firebase.fcm.v1.FcmError`.
    private static func ownCode(in detail: JSONValue) -> String? {
        guard detail.at(["@type"])?.string?.hasSuffix(".FcmError") ?? true else { return nil }
        return detail.at(["errorCode"])?.string.flatMap(word)
    }

    /// Only a word of Google's form passes, because it goes into logs and trails.
    private static func word(_ text: String) -> String? {
        let isWord =
            (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x5F }
        return isWord ? text : nil
    }

    var reason: String { field.map { $0.isEmpty ? code : code + " at " + $0 } ?? code }

    /// By Google, INVALID_ARGUMENT means a dead token only if the payload is right ("Best practices for FCM
    /// registration token management"). Its example of such a reply ("FCM Error Codes", example 2) has FCM's own
    /// detail, no wrong field, and a message about the registration token. If a field is named, it must be the token's.
    ///
    /// No wrong setting causes this: a token of another project is well formed and gets `SENDER_ID_MISMATCH`.
    private static func isAboutToken(_ field: String?, _ message: String) -> Bool {
        if let field { return field == "message.token" }
        return message.lowercased().contains("registration token")
    }

    /// The field without positions and keys, which are the app's: `message.data[0].value` becomes `message.data`.
    private static func plain(_ field: String) -> String {
        let known = field.prefix { $0.isASCII && ($0.isLetter || $0 == "." || $0 == "_") }
        return String(known.prefix(64))
    }
}
