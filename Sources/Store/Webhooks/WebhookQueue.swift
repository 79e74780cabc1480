package import Inbox

/// The durable webhooks, as their sender sees them. Calls and completions as in ``Store``.
package protocol WebhookQueue: AnyObject, Sendable {
    /// Hands out at most `limit` due webhooks of an endpoint, those that wait longest first. Each is handed out again
    /// if it is not settled until `leaseEnd`.
    func leaseWebhooks(
        _ limit: Int, for endpoint: String, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedWebhooks, StoreError>) -> Void)

    /// Ends leases. A crash before the commit lets these webhooks leave again.
    /// - Parameter clockMoved: ``StoreOptions/clockMoved`` when they were judged.
    func settle(
        _ outcomes: [WebhookOutcome], clockMoved: Duration,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Has an endpoint's dead letters sent again, each as if for the first time.
    /// - Parameter completion: gets how many there were.
    func reviveWebhooks(
        of endpoint: String, at now: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)

    /// Removes the webhooks that were made before a time, dead or not.
    /// - Parameter completion: gets how many there were.
    func removeWebhooks(
        madeBefore time: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)

    /// How many webhooks are stored, by endpoint; those without any are left out.
    func webhookCounts(completion: @escaping @Sendable (Result<[String: WebhookCount], StoreError>) -> Void)

    /// An endpoint's newest dead letters.
    func deadLetters(
        of endpoint: String, limit: Int, completion: @escaping @Sendable (Result<[DeadLetter], StoreError>) -> Void)
}
