package import Inbox
import JSON

/// The meaning of a reply of APNs (Apple, "Handling notification responses from APNs").
package struct APNsVerdict: Sendable, Hashable {
    package let verdict: Verdict
    /// The provider token was too old: tell ``APNsToken/expired(_:at:)``, and try the push with a new one.
    package let isTokenExpired: Bool

    private init(_ verdict: Verdict, isTokenExpired: Bool = false) {
        self.verdict = verdict
        self.isTokenExpired = isTokenExpired
    }

    package init(_ result: Result<PushReply, NoAnswer>, at now: Timestamp) {
        switch result {
        case .success(let reply): self.init(reply, at: now)
        case .failure(let cause): self.init(.noAnswer(cause))
        }
    }

    /// Only a 410 removes a device. With the wrong environment or app in the settings, every good device gets
    /// `BadDeviceToken` or `DeviceTokenNotForTopic`: one wrong setting would empty the device list. These end the job
    /// and keep the device. A dead device ages out, because its app no longer registers it.
    ///
    /// A 403 is about the "provider's authentication token", and so about all pushes. But a key may be for one of
    /// Apple's two environments only: then devices of the other one must not delay the rest.
    ///
    /// - Parameter now: the time of the reply.
    package init(_ reply: PushReply, at now: Timestamp) {
        guard reply.status != 200 else {
            self.init(.accepted)
            return
        }
        let refusal = APNsRefusal(reply.body)
        let word = refusal?.reason ?? "HTTP \(reply.status)"
        let delay = reply.retryAfter(at: now)
        switch (reply.status, refusal?.reason) {
        case (429, "TooManyRequests"):
            // "Too many requests were made consecutively to the same device token."
            self.init(.busy(retryAfter: delay, scope: .device))
        case (429, _), (400, "IdleTimeout"), (408, _), (500..., _):
            self.init(.busy(retryAfter: delay, scope: .provider))
        case (403, "BadEnvironmentKeyIdInToken"), (403, "BadCertificateEnvironment"):
            self.init(.keyRefused(word, retryAfter: delay, scope: .device))
        case (401, _), (403, _):
            self.init(.keyRefused(word, retryAfter: delay), isTokenExpired: word == "ExpiredProviderToken")
        case (410, _):
            self.init(.deviceGone(since: refusal?.timestamp))
        default:
            self.init(.refused(reason: word))
        }
    }
}

/// The JSON body of a reply that is not a success: `{"reason":"Unregistered","timestamp":1764000000000}`.
private struct APNsRefusal {
    let reason: String
    /// The time since which the token is invalid; only with 410.
    let timestamp: Timestamp?

    /// Nil for another form, such as a proxy's page.
    init?(_ body: [UInt8]) {
        // An unreadable body has no reason, and the status alone decides.
        guard let json = try? JSONValue(parsing: body), let reason = json.at(["reason"])?.string,
            // The reason goes into logs and trails: only a word of Apple's form passes.
            (1...64).contains(reason.utf8.count), reason.allSatisfy({ $0.isASCII && $0.isLetter })
        else { return nil }
        self.reason = reason
        timestamp = json.at(["timestamp"])?.int.map { Timestamp(milliseconds: $0) }
    }
}
