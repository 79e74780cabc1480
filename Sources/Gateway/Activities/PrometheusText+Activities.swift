import Push

extension PrometheusText {
    /// What became of pushes to Live Activities.
    mutating func activities(_ sender: ActivitySender) {
        let rows = sender.counters.map { (labels: [(name: "provider", value: $0.provider.name)], counters: $0) }
        series(
            .counter, "belfry_activity_pushes_sent_total", "Pushes to Live Activities that the service has taken.",
            rows.map { ($0.labels, $0.counters.sent.count) })
        series(
            .counter, "belfry_activity_push_failures_total", "Tries of pushes to Live Activities that failed.",
            rows.map { ($0.labels, $0.counters.failed.count) })
    }
}
