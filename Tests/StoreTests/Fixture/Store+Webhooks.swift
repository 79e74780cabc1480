import Inbox
import JSON
import Store

extension Store {
    func leaseWebhooks(
        _ limit: Int = 100, for endpoint: String = "all", at now: Timestamp, lease: Duration = .seconds(60)
    ) async throws -> LeasedWebhooks {
        try await withCheckedThrowingContinuation { waiting in
            leaseWebhooks(limit, for: endpoint, at: now, until: now + lease) { waiting.resume(with: $0) }
        }
    }

    func settle(_ outcomes: WebhookOutcome..., clockMoved: Duration = .zero) async throws {
        try await withCheckedThrowingContinuation { waiting in
            settle(outcomes, clockMoved: clockMoved) { waiting.resume(with: $0) }
        }
    }

    func reviveWebhooks(of endpoint: String = "all", at now: Timestamp) async throws -> Int {
        try await withCheckedThrowingContinuation { waiting in
            reviveWebhooks(of: endpoint, at: now) { waiting.resume(with: $0) }
        }
    }

    func removeWebhooks(madeBefore time: Timestamp) async throws -> Int {
        try await withCheckedThrowingContinuation { waiting in
            removeWebhooks(madeBefore: time) { waiting.resume(with: $0) }
        }
    }

    func webhookCounts() async throws -> [String: WebhookCount] {
        try await withCheckedThrowingContinuation { waiting in webhookCounts { waiting.resume(with: $0) } }
    }

    func deadLetters(of endpoint: String = "all", limit: Int = 100) async throws -> [DeadLetter] {
        try await withCheckedThrowingContinuation { waiting in
            deadLetters(of: endpoint, limit: limit) { waiting.resume(with: $0) }
        }
    }
}

extension WebhookRule {
    /// Two endpoints: one hears of everything, and one of what somebody has read.
    static var twoEndpoints: WebhookRule {
        return WebhookRule(
            [
                Endpoint(name: "all", app: nil, kinds: Set(WebhookKind.allCases)),
                Endpoint(name: "reads", app: nil, kinds: [.read]),
            ]
        ) { time in WebhookID.make(at: time, chance: (.random(in: .min ... .max), 0)) }
    }
}

extension Webhook {
    /// The payload's text, without its time.
    var told: String {
        guard var json = (try? JSONValue(parsing: body))?.object else { return "no JSON" }
        json["timestamp"] = nil
        return String(decoding: JSONValue.object(json).encoded, as: UTF8.self)
    }
}
