extension PrometheusText {
    /// As many series as the settings name endpoints. The gauges are the store's, and so the same at each node.
    mutating func webhooks(_ sender: WebhookSender) {
        let rows = zip(sender.endpoints, sender.counters)
            .map { (labels: [(name: "endpoint", value: $0.name)], counters: $1) }
        series(
            .counter, "belfry_webhooks_sent_total", "Webhooks that their endpoint has taken.",
            rows.map { ($0.labels, $0.counters.sent.count) })
        series(
            .counter, "belfry_webhook_failures_total", "Tries of webhooks that failed.",
            rows.map { ($0.labels, $0.counters.failed.count) })
        series(
            .gauge, "belfry_webhooks_waiting", "Webhooks that wait for their next try.",
            rows.map { ($0.labels, $0.counters.waiting.level) })
        series(
            .gauge, "belfry_webhooks_dead", "Webhooks that were given up and are kept.",
            rows.map { ($0.labels, $0.counters.dead.level) })
    }
}
