package import Inbox
package import Store

/// Webhooks that wait for their endpoints.
extension StoreEngine {
    package func leaseWebhooks(
        _ limit: Int, for endpoint: String, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedWebhooks, StoreError>) -> Void
    ) {
        let span = max(leaseEnd - now, .milliseconds(1))
        write(rows: max(1, limit), completion) { open in
            let now = open.present(now)
            let webhooks = try open.rows.webhooks.lease(limit, of: endpoint, at: now, until: now + span)
            return LeasedWebhooks(webhooks: webhooks, nextDue: try open.rows.webhooks.nextDue(of: endpoint))
        }
    }

    package func settle(
        _ outcomes: [WebhookOutcome], clockMoved: Duration,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        write(rows: max(1, outcomes.count), completion) { open in
            let moved = open.clockMoved - clockMoved
            try open.rows.webhooks.settle(outcomes.map { $0.moved(by: moved) })
        }
    }

    package func reviveWebhooks(
        of endpoint: String, at now: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        let limit = rules.rowsPerCommit
        work(rows: limit, from: 0, completion) { open, revived in
            let now = open.present(now)
            let count = try open.rows.webhooks.revive(limit, of: endpoint, due: now)
            if count > 0 { open.tellWebhook(due: now) }
            revived += count
            return count < limit
        }
    }

    package func removeWebhooks(
        madeBefore time: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) {
        let limit = rules.rowsPerCommit
        work(rows: limit, from: 0, completion) { open, removed in
            let count = try open.rows.webhooks.remove(limit, before: WebhookID.start(at: time))
            removed += count
            return count < limit
        }
    }

    package func webhookCounts(completion: @escaping @Sendable (Result<[String: WebhookCount], StoreError>) -> Void) {
        read(completion) { reads in try reads.webhooks.counts() }
    }

    package func deadLetters(
        of endpoint: String, limit: Int, completion: @escaping @Sendable (Result<[DeadLetter], StoreError>) -> Void
    ) {
        read(completion) { reads in try reads.webhooks.deadLetters(of: endpoint, limit: limit) }
    }
}
