import Store

extension PrometheusText {
    /// The gauges are the database's, and so the same at each node.
    mutating func outbox(_ figures: OutboxFigures, _ counters: OutboxCounters) {
        gauge("belfry_outbox_rows", "Events in the outbox that wait to be published.", Int(figures.waiting))
        number(
            .gauge, "belfry_outbox_oldest_seconds", "How long the first of them has waited.",
            figures.oldest / .seconds(1))
        gauge("belfry_outbox_refused_rows", "Events in the outbox that were refused and stay.", Int(figures.refused))
        counter("belfry_outbox_published_total", "Events of the outbox that were stored.", counters.published.count)
        counter(
            "belfry_outbox_retries_total", "Events of the outbox that could not be stored and were left for later.",
            counters.retries.count)
        counter("belfry_outbox_refused_total", "Events of the outbox that were refused.", counters.refused.count)
    }
}
