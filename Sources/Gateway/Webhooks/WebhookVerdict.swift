import Inbox
import Store

/// What a try of a webhook leads to (Standard Webhooks 1.0.0, "Deliverability and reliability" and "Delivery success and
/// failure").
enum WebhookVerdict: Hashable {
    case delivered
    /// To be tried again after a wait.
    case failed(reason: String, retryAfter: Duration?)
    /// The endpoint wants nothing more.
    case gone
    /// It was not sent, as its endpoint has said before that it wants nothing more.
    case unsent

    /// The waits before the second and each later try: that schedule. The tenth try is the last, three days after the
    /// first one.
    static let waits: [Duration] = [
        .seconds(5), .seconds(300), .seconds(1_800), .seconds(7_200), .seconds(18_000), .seconds(36_000),
        .seconds(50_400), .seconds(72_000), .seconds(86_400),
    ]
    /// How much longer a wait may be by chance, so that what failed together does not come together again.
    private static let jitter = 0.2

    /// - Parameter retryAfter: of the answer, where it has one.
    init(status: Int, retryAfter: Duration?) {
        switch status {
        case 200...299: self = .delivered
        case 410: self = .gone
        // Redirects too: they are not followed.
        default: self = .failed(reason: "status \(status)", retryAfter: retryAfter)
        }
    }

    /// What becomes of the webhook.
    ///
    /// - Parameter chance: from 0 to 1.
    func outcome(of webhook: Webhook, at now: Timestamp, chance: Double) -> WebhookOutcome {
        switch self {
        case .delivered: return .delivered(id: webhook.id)
        case .gone:
            return .buried(id: webhook.id, at: now, failures: webhook.failures + 1, reason: "status 410")
        case .unsent:
            return .buried(
                id: webhook.id, at: now, failures: webhook.failures, reason: "not sent: the endpoint is gone")
        case .failed(let reason, let retryAfter):
            let failures = webhook.failures + 1
            guard failures <= Self.waits.count else {
                return .buried(id: webhook.id, at: now, failures: failures, reason: reason)
            }
            let wait = Self.waits[failures - 1]
            let span = max(wait + wait * (Self.jitter * chance), retryAfter ?? .zero)
            return .putOff(id: webhook.id, until: now + span, failures: failures, reason: reason)
        }
    }
}
