package import Inbox
import JSON

/// What OneSignal's reply means (OneSignal, "Push notification", responses; "Rate limits").
package struct OneSignalVerdict: Sendable, Hashable {
    package let verdict: Verdict

    /// A subscription or login that the app made a moment ago may not have reached OneSignal yet: devices younger than
    /// this are tried again where older ones are gone.
    package static let settlingTime = Duration.seconds(600)

    /// A reply of 200 can mean that nobody was reached. Then there are two cases, by OneSignal's words:
    ///
    /// - `invalid_…` names devices "that exist in the provided app_id but are no longer subscribed": gone.
    /// - Without an id "the targeted User IDs do not exist under the provided app_id", or none is subscribed: that is
    ///   also what every device gets when the server is set to another OneSignal app, so the device stays, and ages out
    ///   if it is dead.
    ///
    /// - Parameter now: when the reply came.
    package init(_ reply: PushReply, at now: Timestamp) {
        let answer = OneSignalAnswer(reply.body)
        let refused = Verdict.refused(reason: answer?.reason ?? "HTTP \(reply.status)")
        verdict =
            switch reply.status {
            case 200, 202:
                switch answer {
                case let answer? where answer.namesInvalid: .deviceGone(since: now - Self.settlingTime)
                case let answer? where answer.hasID: .accepted
                default: refused
                }
            case 409:
                // The same request is being worked on: asking again gives its outcome.
                .busy(retryAfter: reply.retryAfter, scope: .device)
            case 408, 429, 500...:
                .busy(retryAfter: reply.retryAfter, scope: .provider)
            default:
                refused
            }
    }
}

/// The JSON body of any reply: `{"id":"…"}`, `{"id":"","errors":["…"]}` or `{"id":"…","errors":{"invalid_aliases":…}}`.
private struct OneSignalAnswer {
    /// A message was made.
    let hasID: Bool
    /// Whom it was for is named as invalid; as there is but one, nobody got it.
    let namesInvalid: Bool
    /// A fixed text of ours, as OneSignal's own may repeat addresses.
    let reason: String?

    private static let invalidMembers: Set = [
        "invalid_aliases", "invalid_subscription_ids", "invalid_player_ids", "invalid_external_user_ids",
    ]

    /// What OneSignal's texts hold, in lower case, and what they are called here.
    private static let reasons = [
        ("not subscribed", "not subscribed"), ("access denied", "access denied"), ("app_id", "wrong app_id"),
        ("idempotency", "wrong idempotency_key"), ("uuid", "no subscription id"), ("player_id", "no subscription id"),
        ("subscription_id", "no subscription id"),
        ("contents", "no contents"), ("rate limit", "rate limit"),
    ]

    /// Nil if it is no JSON object: a proxy's page, for instance.
    init?(_ body: [UInt8]) {
        // What cannot be read has no reason in it; the status alone decides then.
        guard let object = (try? JSONValue(parsing: body))?.object else { return nil }
        hasID = object["id"]?.string?.isEmpty == false
        namesInvalid = object["errors"]?.object?.keys.contains { Self.invalidMembers.contains($0) } == true
        let texts = (object["errors"]?.array ?? []).compactMap { $0.string?.lowercased() }
        reason = Self.reasons.first { part, _ in texts.contains { $0.contains(part) } }?.1
    }
}
