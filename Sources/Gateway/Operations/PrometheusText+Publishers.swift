extension PrometheusText {
    /// As many series as the settings name publishers.
    mutating func publishers(_ records: [PublisherRecord]) {
        series(
            .counter, "belfry_publisher_events_total", "Events and items that each publisher has published.",
            records.map { ([("publisher", $0.name)], $0.events.count) })
        series(
            .counter, "belfry_publisher_refusals_total", "Calls of each publisher that a right or a limit has refused.",
            records.flatMap { record in
                record.refusals.map {
                    ([("publisher", record.name), ("cause", $0.cause.rawValue)], $0.count.count)
                }
            })
    }
}
