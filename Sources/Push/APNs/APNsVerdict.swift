import Inbox
import JSON

/// What APNs's reply means (Apple, "Handling notification responses from APNs").
package struct APNsVerdict: Sendable, Hashable {
    package let verdict: Verdict
    /// The provider token was too old: tell ``APNsToken/expired(_:at:)``.
    package let isTokenExpired: Bool

    private init(_ verdict: Verdict, isTokenExpired: Bool = false) {
        self.verdict = verdict
        self.isTokenExpired = isTokenExpired
    }

    package init(_ result: Result<PushReply, NoAnswer>) {
        switch result {
        case .success(let reply): self.init(reply)
        case .failure(let cause): self.init(.noAnswer(cause))
        }
    }

    /// Only a 410 lets a device go. `BadDeviceToken` and `DeviceTokenNotForTopic` are also what every good device gets
    /// when the server is set to the wrong environment or app: believing them would empty the device list by one
    /// wrong setting. They end the job and keep the device; a dead one ages out, as its app no longer registers it.
    package init(_ reply: PushReply) {
        let refusal = reply.status == 200 ? nil : APNsRefusal(reply.body)
        switch (reply.status, refusal?.reason) {
        case (200, _):
            self.init(.accepted)
        case (429, "TooManyRequests"):
            // "Too many requests were made consecutively to the same device token."
            self.init(.busy(retryAfter: reply.retryAfter, scope: .device))
        case (429, _), (400, "IdleTimeout"), (408, _), (500..., _):
            self.init(.busy(retryAfter: reply.retryAfter, scope: .provider))
        case (403, "ExpiredProviderToken"):
            // Ours to mend: a new token is made for the next request, so the others need not wait.
            self.init(.busy(retryAfter: reply.retryAfter, scope: .device), isTokenExpired: true)
        case (410, _):
            self.init(.deviceGone(since: refusal?.timestamp))
        default:
            self.init(.refused(reason: refusal?.reason ?? "HTTP \(reply.status)"))
        }
    }
}

/// The JSON body of a reply that is not a success: `{"reason":"Unregistered","timestamp":1764000000000}`.
private struct APNsRefusal {
    let reason: String
    /// Since when the token has been invalid; comes with 410.
    let timestamp: Timestamp?

    /// Nil if it is not of that form: a proxy's page, for instance.
    init?(_ body: [UInt8]) {
        // What cannot be read has no reason in it; the status alone decides then.
        guard let json = try? JSONValue(parsing: body), let reason = json.at(["reason"])?.string,
            // It goes into logs and trails: only a word of Apple's form passes.
            (1...64).contains(reason.utf8.count), reason.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return nil }
        self.reason = reason
        timestamp = json.at(["timestamp"])?.int.map { Timestamp(milliseconds: $0) }
    }
}
