package import Inbox
import JSON

/// What OneSignal's reply means (OneSignal, "Push notification", responses; "Rate limits").
package struct OneSignalVerdict: Sendable, Hashable {
    package let verdict: Verdict

    /// A subscription or login that the app made a moment ago may not have reached OneSignal yet: devices younger than
    /// this are tried again where older ones are gone.
    package static let settlingTime = Duration.seconds(600)

    /// An id means that a message was made, whatever `errors` says beside it. A reply of 200 without one means that
    /// nobody was reached. Then there are two cases, by OneSignal's words:
    ///
    /// - `invalid_…` that names this device: it existed "in the provided app_id", and is "no longer subscribed": gone.
    /// - Otherwise "the targeted User IDs do not exist under the provided app_id", or none is subscribed: that is
    ///   also what every device gets when the server is set to another OneSignal app, so the device stays, and ages out
    ///   if it is dead.
    ///
    /// - Parameters:
    ///   - token: of the device that the push was for.
    ///   - now: when the reply came.
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
            // The settings are wrong, and not the push: all others would fail as well.
            case 400 where word == OneSignalAnswer.wrongApp, 404 where word == OneSignalAnswer.wrongApp:
                .keyRefused(word, retryAfter: delay)
            case 409:
                // The same request is being worked on: asking again gives its outcome.
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
    /// A message was made.
    let hasID: Bool
    /// Whom it was for is named as invalid.
    let namesDevice: Bool
    /// A fixed text of ours, as OneSignal's own may repeat addresses.
    let reason: String?

    /// Lists of subscriptions, under the names that they have had.
    private static let invalidSubscriptions = ["invalid_subscription_ids", "invalid_player_ids"]
    /// A list of users, before there were aliases.
    private static let invalidUsers = "invalid_external_user_ids"

    static let wrongApp = "wrong app_id"

    /// What OneSignal's texts hold, in lower case, and what they are called here.
    private static let reasons = [
        ("not subscribed", "not subscribed"), ("access denied", "access denied"), ("app_id", wrongApp),
        ("idempotency", "wrong idempotency_key"), ("uuid", "no subscription id"), ("player_id", "no subscription id"),
        ("subscription_id", "no subscription id"),
        ("contents", "no contents"), ("rate limit", "rate limit"),
    ]

    /// Nil if it is no JSON object: a proxy's page, for instance.
    init?(_ body: [UInt8], token: String) {
        // What cannot be read has no reason in it; the status alone decides then.
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
            // UUIDs, which are the same in either case.
            return invalidSubscriptions.flatMap { ids($0) }.contains { $0.lowercased() == token.lowercased() }
        }
        let user = token.dropFirst(Device.oneSignalUserPrefix.count)
        return (ids("invalid_aliases", "external_id") + ids(invalidUsers)).contains { $0 == user }
    }
}
