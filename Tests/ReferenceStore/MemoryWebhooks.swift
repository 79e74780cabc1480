import Deliveries
import Inbox
import Store

final class MemoryWebhooks: MemoryPart, WebhookRows, WebhookReads {
    func insert(_ webhooks: [NewWebhook]) {
        for new in webhooks {
            state.webhooks[new.id] = MemoryState.StoredWebhook(
                endpoint: new.endpoint, inbox: new.inbox, body: new.body, due: new.due)
        }
    }

    func lease(_ limit: Int, of endpoint: String, at now: Timestamp, until end: Timestamp) -> [Webhook] {
        let due = state.webhooks.filter { $0.value.endpoint == endpoint && ($0.value.due.map { $0 <= now } ?? false) }
            .sorted { ($0.value.due ?? end, $0.key) < ($1.value.due ?? end, $1.key) }.prefix(limit)
        for (id, _) in due { state.webhooks[id]?.due = end }
        return due.map { Webhook(id: $0.key, failures: $0.value.failures, body: $0.value.body) }
    }

    func nextDue(of endpoint: String) -> Timestamp? {
        state.webhooks.values.filter { $0.endpoint == endpoint }.compactMap(\.due).min()
    }

    func settle(_ outcomes: [WebhookOutcome]) {
        for outcome in outcomes {
            switch outcome {
            case .delivered(let id): state.webhooks[id] = nil
            case .putOff(let id, let due, let failures, let reason):
                change(id) { ($0.due, $0.failures, $0.reason) = (due, failures, reason) }
            case .buried(let id, let time, let failures, let reason):
                change(id) { ($0.due, $0.buriedAt, $0.failures, $0.reason) = (nil, time, failures, reason) }
            }
        }
    }

    private func change(_ id: String, _ body: (inout MemoryState.StoredWebhook) -> Void) {
        guard var webhook = state.webhooks[id], webhook.due != nil else { return }
        body(&webhook)
        state.webhooks[id] = webhook
    }

    private func dead(_ endpoint: String) -> [(id: String, at: Timestamp, webhook: MemoryState.StoredWebhook)] {
        state.webhooks.compactMap { id, webhook in
            webhook.endpoint == endpoint ? webhook.buriedAt.map { (id, $0, webhook) } : nil
        }.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
    }

    func revive(_ limit: Int, of endpoint: String, due: Timestamp) -> Int {
        let revived = dead(endpoint).prefix(limit)
        for (id, _, webhook) in revived {
            state.webhooks[id] = MemoryState.StoredWebhook(
                endpoint: endpoint, inbox: webhook.inbox, body: webhook.body, due: due)
        }
        return revived.count
    }

    func remove(_ limit: Int, before id: String) -> Int {
        let old = state.webhooks.keys.filter { $0 < id }.sorted().prefix(limit)
        for id in old { state.webhooks[id] = nil }
        return old.count
    }

    func remove(inbox: Int64) { state.webhooks = state.webhooks.filter { $0.value.inbox != inbox } }
    func move(by span: Duration) { for id in state.webhooks.keys { change(id) { $0.due = $0.due.map { $0 + span } } } }

    func counts() -> [String: WebhookCount] {
        state.webhooks.values.reduce(into: [:]) { counts, webhook in
            counts[webhook.endpoint, default: WebhookCount()].waiting += webhook.due == nil ? 0 : 1
            counts[webhook.endpoint, default: WebhookCount()].dead += webhook.due == nil ? 1 : 0
        }
    }

    func deadLetters(of endpoint: String, limit: Int) -> [DeadLetter] {
        dead(endpoint).reversed().prefix(limit).map { id, time, webhook in
            DeadLetter(
                id: id, buriedAt: time, failures: webhook.failures, reason: webhook.reason, body: webhook.body)
        }
    }
}
