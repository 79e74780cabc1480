package import Inbox
import JSON

/// What FCM's reply means (Firebase, "ErrorCode" and "FCM Error Codes").
package struct FCMVerdict: Sendable, Hashable {
    package let verdict: Verdict
    /// The access token was not taken: tell ``GoogleAccessToken/rejected(_:at:)``.
    package let isTokenExpired: Bool

    /// How long a sender over its quota waits where the reply tells no delay: quotas are counted by the minute
    /// (Firebase, "Best practices when sending FCM messages at scale").
    private static let quotaPause = Duration.seconds(60)

    private init(_ verdict: Verdict, isTokenExpired: Bool = false) {
        self.verdict = verdict
        self.isTokenExpired = isTokenExpired
    }

    /// FCM's own code counts before the status, whatever that is. `SENDER_ID_MISMATCH` keeps the device: it is what
    /// every device gets when the service account is another project's.
    ///
    /// - Parameter now: when the reply came.
    package init(_ reply: PushReply, at now: Timestamp) {
        // A yes has only the message's name to read.
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
        // Not our token: what the Firebase project holds of Apple's or the browser's credentials. Android has its own.
        case "THIRD_PARTY_AUTH_ERROR": self.init(.keyRefused(word, retryAfter: delay, scope: .device))
        // Google's own word, without one of FCM's: there is no such Firebase project.
        case "NOT_FOUND": self.init(.keyRefused(word, retryAfter: delay))
        case "QUOTA_EXCEEDED": self.init(.busy(retryAfter: delay ?? Self.quotaPause, scope: .provider))
        case "UNAVAILABLE", "INTERNAL": self.init(.busy(retryAfter: delay, scope: .provider))
        case .some, nil: self.init(status: reply.status, word, delay)
        }
    }

    /// Of a push whose access token is not taken, and cannot be replaced.
    package static let tokenRefused = Verdict.keyRefused("UNAUTHENTICATED")

    private init(status: Int, _ word: String, _ delay: Duration?) {
        switch status {
        case 401: self.init(.keyRefused(word, retryAfter: delay), isTokenExpired: true)
        // The service account may not send, or the interface is switched off in its project.
        case 403: self.init(.keyRefused(word, retryAfter: delay))
        case 429: self.init(.busy(retryAfter: delay ?? Self.quotaPause, scope: .provider))
        case 408, 500...: self.init(.busy(retryAfter: delay, scope: .provider))
        default: self.init(.refused(reason: word))
        }
    }
}

/// The JSON body of a reply that is not a success (Google's `google.rpc.Status`, with FCM's details).
private struct FCMFailure {
    /// FCM's own code, `UNREGISTERED`; Google's, `NOT_FOUND`, if there is none.
    let code: String
    /// Where in the message something is wrong, `message.android.ttl`.
    let field: String?
    /// About the registration token, and nothing else.
    let isAboutToken: Bool

    /// Nil if it is not of that form: a proxy's page, for instance.
    init?(_ body: [UInt8]) {
        // What cannot be read has no reason in it; the status alone decides then. Google's older front ends put the
        // error into an array.
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

    /// Of a detail of the type `google.firebase.fcm.v1.FcmError`.
    private static func ownCode(in detail: JSONValue) -> String? {
        guard detail.at(["@type"])?.string?.hasSuffix(".FcmError") ?? true else { return nil }
        return detail.at(["errorCode"])?.string.flatMap(word)
    }

    /// It goes into logs and trails: only a word of Google's form passes.
    private static func word(_ text: String) -> String? {
        let isWord =
            (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x41...0x5A).contains($0) || $0 == 0x5F }
        return isWord ? text : nil
    }

    var reason: String { field.map { $0.isEmpty ? code : code + " at " + $0 } ?? code }

    /// Google says that INVALID_ARGUMENT means a dead token only if the payload is right ("Best practices for FCM
    /// registration token management"), and shows a reply in which it is ("FCM Error Codes", example 2): FCM's own
    /// detail, no field that is wrong, and a message about the registration token. A field may be named too, then it is
    /// the token's.
    ///
    /// No wrong setting leads here: a token of another project is well formed and gets `SENDER_ID_MISMATCH`.
    private static func isAboutToken(_ field: String?, _ message: String) -> Bool {
        if let field { return field == "message.token" }
        return message.lowercased().contains("registration token")
    }

    /// Without positions and keys, which are the app's: `message.data[0].value` is `message.data`.
    private static func plain(_ field: String) -> String {
        let known = field.prefix { $0.isASCII && ($0.isLetter || $0 == "." || $0 == "_") }
        return String(known.prefix(64))
    }
}
