package import Inbox
import JSON

/// The meaning of a reply of OneSignal (OneSignal, "Push notification", responses; "Rate limits").
package struct OneSignalVerdict: Sendable, Hashable {
    package let verdict: Verdict

    /// A new subscription or login may take some time to reach OneSignal. Within this time a device is tried again,
    /// where an older device counts as gone.
    package static let settlingTime = Duration.seconds(600)

    /// A reply with an id made a message, whatever `errors` says. A reply of 200 without an id reached nobody.
    /// OneSignal's words then tell two cases apart:
    ///
    /// - `invalid_…` with this device: it existed "in the provided app_id", and is "no longer subscribed". It is gone.
    /// - Otherwise "the targeted User IDs do not exist under the provided app_id", or none is subscribed. Every device
    ///   gets this if the settings name another OneSignal app. So the device stays, and ages out if it is dead.
    ///
    /// - Parameters:
    ///   - token: the token of the push's device.
    ///   - now: the time of the reply.
    package init(_ reply: PushReply, to token: String, at now: Timestamp) {
        let answer = OneSignalAnswer(reply.body, token: token)
        let word = answer?.reason ?? "HTTP \(reply.status)"
        let delay = reply.retryAfter(at: now)
        verdict =
            switch reply.status {
            case 200, 202:
                switch answer {
                case let answer? where answer.hasID: .accepted
                case let answer? where answer.namesDevice: .deviceGone(since: now - Self.settlingTime)
                default: .refused(reason: word)
                }
            case 401, 403:
                .keyRefused(word, retryAfter: delay)
            // The settings are wrong, not the push: all others would fail as well.
            case 400 where word == OneSignalAnswer.wrongApp, 404 where word == OneSignalAnswer.wrongApp:
                .keyRefused(word, retryAfter: delay)
            case 409:
                // The same request is still being processed: a retry gives its outcome.
                .busy(retryAfter: delay, scope: .device)
            case 408, 429, 500...:
                .busy(retryAfter: delay, scope: .provider)
            default:
                .refused(reason: word)
            }
    }
}

/// The JSON body of any reply: `{"id":"…"}`, `{"id":"","errors":["…"]}` or `{"id":"…","errors":{"invalid_aliases":…}}`.
private struct OneSignalAnswer {
    /// Whether a message was made.
    let hasID: Bool
    /// Whether the reply names the recipient as invalid.
    let namesDevice: Bool
    /// A fixed text of Belfry, because OneSignal's own text may repeat addresses.
    let reason: String?

    /// Lists of subscriptions, by their current and earlier names.
    private static let invalidSubscriptions = ["invalid_subscription_ids", "invalid_player_ids"]
    /// A list of users, from before there were aliases.
    private static let invalidUsers = "invalid_external_user_ids"

    static let wrongApp = "wrong app_id"

    /// Parts of OneSignal's texts, in lower case, with their names here.
    private static let reasons = [
        ("not subscribed", "not subscribed"), ("access denied", "access denied"), ("app_id", wrongApp),
        ("idempotency", "wrong idempotency_key"), ("uuid", "no subscription id"), ("player_id", "no subscription id"),
        ("subscription_id", "no subscription id"),
        ("contents", "no contents"), ("rate limit", "rate limit"),
    ]

    /// Nil if the body is no JSON object, such as a proxy's page.
    init?(_ body: [UInt8], token: String) {
        // An unreadable body has no reason, and the status alone decides.
        guard let object = (try? JSONValue(parsing: body))?.object else { return nil }
        let errors = object["errors"]
        hasID = object["id"]?.string?.isEmpty == false
        namesDevice = errors.map { Self.names(token, in: $0) } ?? false
        let texts = (errors?.array ?? []).compactMap { $0.string?.lowercased() }
        reason = Self.reasons.first { part, _ in texts.contains { $0.contains(part) } }?.1
    }

    private static func names(_ token: String, in errors: JSONValue) -> Bool {
        func ids(_ path: String...) -> [String] {
            (errors.at(path)?.array ?? []).compactMap { $0.string ?? $0.int.map { String($0) } }
        }
        guard token.hasPrefix(Device.oneSignalUserPrefix) else {
            // UUIDs are the same in upper and lower case.
            return invalidSubscriptions.flatMap { ids($0) }.contains { $0.lowercased() == token.lowercased() }
        }
        let user = token.dropFirst(Device.oneSignalUserPrefix.count)
        return (ids("invalid_aliases", "external_id") + ids(invalidUsers)).contains { $0 == user }
    }
}
