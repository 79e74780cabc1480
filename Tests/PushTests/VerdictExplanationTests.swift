import Inbox
import Push
import Testing

struct VerdictExplanationTests {
    @Test(arguments: [
        (Device.Provider.apns, "BadDeviceToken", "other environment"),
        (.apns, "DeviceTokenNotForTopic", "APNS_BUNDLE_ID"),
        (.fcm, "SENDER_ID_MISMATCH", "another Firebase project"),
        (.fcm, "INVALID_ARGUMENT at message.data", "catalog's push data"),
        (.onesignal, "not subscribed", "not allowed pushes"), (.webpush, "BadWebPushTopic", "report it"),
        (.webpush, "HTTP 400, WNS: Ttl value conflicts with X-WNS-Cache-Policy", "report it"),
        (.webpush, "HTTP 413, errno 104: payload too large", "catalog's push texts"),
        (.webpush, "VapidPkHashMismatch", "another VAPID key"), (.webpush, "endpoint: not allowed", "HOSTS"),
        (.apns, "SomethingNew", "not tried again"), (.fcm, "HTTP 418", "not tried again"),
    ])
    func `a refusal says what to look at`(provider: Device.Provider, reason: String, advice: String) {
        let text = Verdict.refused(reason: reason).explanation(from: provider)
        #expect(text.contains("refused the push: \(reason)."))
        #expect(text.contains(advice))
    }

    @Test(arguments: [
        (Device.Provider.apns, "InvalidProviderToken", "APNS_TEAM_ID"), (.apns, "SomethingNew", "APNS_KEY_PATH"),
        (.apns, "ExpiredProviderToken", "clock"), (.fcm, "PERMISSION_DENIED", "account's role"),
        (.fcm, "UNAUTHENTICATED", "FCM_SERVICE_ACCOUNT_PATH"), (.fcm, "THIRD_PARTY_AUTH_ERROR", "APNs key"),
        (.onesignal, "access denied", "ONESIGNAL_API_KEY"), (.onesignal, "HTTP 403", "ONESIGNAL_APP_ID"),
        (.webpush, "BadJwtToken", "VAPID_SUBJECT"), (.webpush, "HTTP 403", "another VAPID key"),
        (.webpush, "HTTP 401, errno 109: invalid authentication", "VAPID_PRIVATE_KEY_PATH"),
    ])
    func `a key that is refused says what to look at, and that pushes wait`(
        provider: Device.Provider, word: String, advice: String
    ) {
        let all = Verdict.keyRefused(word).explanation(from: provider)
        #expect(all.contains("does not accept this server's key: \(word). All its pushes wait and are tried again."))
        #expect(all.contains(advice))
        let one = Verdict.keyRefused(word, scope: .device).explanation(from: provider)
        #expect(
            one.contains("other pushes do not wait for it") && one.contains(advice) && !one.contains("not tried again"))
    }

    @Test(arguments: ProviderList.standard)
    func `every verdict is explained for every provider`(provider: Device.Provider) {
        let verdicts: [(Verdict, String)] = [
            (.accepted, "took the push"), (.deviceGone(since: nil), "no longer knows"),
            (.deviceGone(since: now), "lost this device"),
            (.busy(retryAfter: .seconds(30), scope: .device), "come back in 30 s"),
            (.busy(retryAfter: nil, scope: .provider), "all its pushes wait"),
            (.noAnswer(NoAnswer(reason: "no such host")), "gave no verdict: no such host. All its pushes wait"),
            (.noAnswer(NoAnswer(reason: "no such host"), scope: .device), "other pushes do not wait for it"),
            (.noAnswer(NoAnswer(reason: "no such host")), "_ENDPOINT and "),
        ]
        for (verdict, words) in verdicts {
            let text = verdict.explanation(from: provider)
            #expect(text.contains(provider.manual.title))
            #expect(text.contains(words))
        }
    }

    @Test(arguments: [
        (NoAnswer.Obstacle.connection, "gave no verdict", "FCM_ENDPOINT"),
        (.tokenConnection, "could not be asked", "name service, firewall, clock), at token_uri"),
        (.tokenService, "could not be asked", "status page"),
        (.credential, "could not be asked", "Look at FCM_SERVICE_ACCOUNT_PATH."),
    ])
    func `an obstacle for all pushes is told with a place to look at`(
        obstacle: NoAnswer.Obstacle, outcome: String, advice: String
    ) {
        let text = Verdict.noAnswer(NoAnswer(reason: "why", obstacle: obstacle)).explanation(from: .fcm)
        #expect(text.hasPrefix("FCM \(outcome): why. All its pushes wait and are tried again. "))
        #expect(text.contains(advice))
        #expect(text.contains("FCM_ENDPOINT") == (obstacle == .connection))
        #expect(text.contains("firewall") == [.connection, .tokenConnection].contains(obstacle))
    }

    @Test func `an obstacle for one push is not said of the others`() {
        let text = Verdict.noAnswer(NoAnswer(reason: "why"), scope: .device).explanation(from: .webpush)
        #expect(!text.contains("All its pushes"))
        #expect(text.contains("WEBPUSH_ENDPOINT"))
    }
}
