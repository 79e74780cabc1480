import Transport

extension PrometheusText {
    /// As many series as the settings name publishers.
    mutating func publishers(_ directory: PublisherDirectory) {
        let records = directory.records
        counter(
            "belfry_publishers_unknown_total",
            "Calls of nobody whom the settings know: without a key, or with a wrong one.",
            directory.unknownCallers.count)
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

    /// The listener for publishers on other machines.
    mutating func publishing(_ edge: PublishingEdge) {
        gauge(
            "belfry_publishing_connections", "Open connections of publishers on other machines.",
            edge.admission.openConnections)
        counter(
            "belfry_publishing_connections_refused_total", "Their connections that were not taken in.",
            AdmissionRefusal.allCases.map { ("reason", $0.code, edge.admission.refusedConnections($0)) })
    }
}
