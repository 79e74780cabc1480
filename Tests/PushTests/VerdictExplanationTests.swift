import Inbox
import Push
import Testing

struct VerdictExplanationTests {
    @Test(arguments: [
        (Device.Provider.apns, "BadDeviceToken", "other environment"),
        (.apns, "InvalidProviderToken", "APNS_KEY_PATH"), (.apns, "DeviceTokenNotForTopic", "APNS_BUNDLE_ID"),
        (.fcm, "SENDER_ID_MISMATCH", "another Firebase project"),
        (.fcm, "INVALID_ARGUMENT at message.data", "catalog's push data"),
        (.fcm, "THIRD_PARTY_AUTH_ERROR", "APNs key"), (.onesignal, "access denied", "ONESIGNAL_API_KEY"),
        (.onesignal, "not subscribed", "not allowed pushes"), (.webpush, "HTTP 403", "another VAPID key"),
        (.webpush, "HTTP 401, errno 109: invalid authentication", "VAPID_PRIVATE_KEY_PATH"),
        (.webpush, "VapidPkHashMismatch", "another VAPID key"), (.webpush, "endpoint: not allowed", "HOSTS"),
        (.apns, "SomethingNew", "not tried again"), (.fcm, "HTTP 418", "not tried again"),
    ])
    func `a refusal says what to look at`(provider: Device.Provider, reason: String, advice: String) {
        let text = Verdict.refused(reason: reason).explanation(from: provider)
        #expect(text.contains("refused the push: \(reason)."))
        #expect(text.contains(advice))
    }

    @Test(arguments: Device.Provider.allCases)
    func `every verdict is explained for every provider`(provider: Device.Provider) {
        let verdicts: [(Verdict, String)] = [
            (.accepted, "took the push"), (.deviceGone(since: nil), "no longer knows"),
            (.deviceGone(since: now), "lost this device"),
            (.busy(retryAfter: .seconds(30), scope: .device), "come back in 30 s"),
            (.busy(retryAfter: nil, scope: .provider), "all its pushes wait"),
            (.noAnswer(NoAnswer(reason: "no such host")), "gave no verdict: no such host. All its pushes wait"),
            (.noAnswer(NoAnswer(reason: "no such host"), scope: .device), "no such host. One from the queue is tried"),
            (.noAnswer(NoAnswer(reason: "no such host")), "_ENDPOINT and "),
        ]
        for (verdict, words) in verdicts {
            let text = verdict.explanation(from: provider)
            #expect(text.contains(provider.title))
            #expect(text.contains(words))
        }
    }
}
