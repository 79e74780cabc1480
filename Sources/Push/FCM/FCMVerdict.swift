import Inbox
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

    /// `SENDER_ID_MISMATCH` keeps the device: it is what every device gets when the service account is another
    /// project's.
    package init(_ reply: PushReply) {
        // A yes has only the message's name to read.
        guard reply.status != 200 else {
            self.init(.accepted)
            return
        }
        let failure = FCMFailure(reply.body)
        let refused = Verdict.refused(reason: failure?.reason ?? "HTTP \(reply.status)")
        switch (reply.status, failure?.code) {
        case (404, "UNREGISTERED"):
            self.init(.deviceGone(since: nil))
        case (400, _) where failure?.isAboutToken == true:
            self.init(.deviceGone(since: nil))
        case (401, "THIRD_PARTY_AUTH_ERROR"):
            // Not our token: what the Firebase project holds of Apple's or the browser's credentials.
            self.init(refused)
        case (401, _):
            self.init(.busy(retryAfter: reply.retryAfter, scope: .device), isTokenExpired: true)
        case (429, _):
            self.init(.busy(retryAfter: reply.retryAfter ?? Self.quotaPause, scope: .provider))
        case (408, _), (500..., _):
            self.init(.busy(retryAfter: reply.retryAfter, scope: .provider))
        default:
            self.init(refused)
        }
    }
}

/// The JSON body of a reply that is not a success (Google's `google.rpc.Status`, with FCM's details).
private struct FCMFailure {
    /// FCM's own code, `UNREGISTERED`; Google's, `NOT_FOUND`, if there is none.
    let code: String
    /// Where in the message something is wrong, `message.android.ttl`.
    let field: String?
    /// A 400 because of the registration token, and nothing else.
    let isAboutToken: Bool

    private static let fcmDetail = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
    private static let fieldsDetail = "type.googleapis.com/google.rpc.BadRequest"

    /// Nil if it is not of that form: a proxy's page, for instance.
    init?(_ body: [UInt8]) {
        // What cannot be read has no reason in it; the status alone decides then.
        guard let error = (try? JSONValue(parsing: body))?.at(["error"]) else { return nil }
        let details = error.at(["details"])?.array ?? []
        func detail(_ type: String) -> JSONValue? { details.first { $0.at(["@type"])?.string == type } }
        let own = detail(Self.fcmDetail)?.at(["errorCode"])?.string
        guard let code = own ?? error.at(["status"])?.string,
            // It goes into logs and trails: only a word of Google's form passes.
            (1...64).contains(code.utf8.count), code.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x5F })
        else { return nil }
        self.code = code
        let violation = detail(Self.fieldsDetail)?.at(["fieldViolations"])?.array?.first
        field = violation?.at(["field"])?.string.map(Self.plain)
        isAboutToken = own == "INVALID_ARGUMENT" && Self.isAboutToken(field, error.at(["message"])?.string ?? "")
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
