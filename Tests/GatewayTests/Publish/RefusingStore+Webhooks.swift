import Inbox
import Store
import Testing

extension RefusingStore {
    func leaseWebhooks(
        _ limit: Int, for endpoint: String, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedWebhooks, StoreError>) -> Void
    ) {
        Issue.record("nobody sends webhooks here")
    }

    func settle(
        _ outcomes: [WebhookOutcome], clockMoved: Duration,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        Issue.record("nobody sends webhooks here")
    }

    func reviveWebhooks(
        of endpoint: String, at now: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        Issue.record("nobody sends webhooks here")
    }

    func removeWebhooks(
        madeBefore time: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        Issue.record("nobody sends webhooks here")
    }

    func webhookCounts(completion: @escaping @Sendable (Result<[String: WebhookCount], StoreError>) -> Void) {
        Issue.record("nobody counts webhooks here")
    }

    func deadLetters(
        of endpoint: String, limit: Int, completion: @escaping @Sendable (Result<[DeadLetter], StoreError>) -> Void
    ) {
        Issue.record("nobody reads dead letters here")
    }
}
