import Push

extension PrometheusText {
    /// Writes the counters of all push services' lanes.
    mutating func pushes(_ pushes: [PushMetrics]) {
        gauges("belfry_pushes_in_flight", "Push requests under way.", pushes) { $0.underWay.level }
        gauges("belfry_push_window", "How many push requests may be under way.", pushes) { $0.window.level }
        gauges("belfry_push_paused", "1 while a provider gets nothing because it fails.", pushes) { $0.isPaused.level }
        series(
            .counter, "belfry_pushes_total", "Answered push requests.",
            pushes.flatMap { push in
                push.countsByVerdict.map {
                    (labels: [("provider", push.provider.name), ("verdict", $0.verdict)], value: $0.count)
                }
            })
        series(
            .counter, "belfry_push_refusals_total", "Pushes that a provider refused for good: an operator must act.",
            pushes.flatMap { push in
                push.countsByReason.map {
                    (labels: [("provider", push.provider.name), ("reason", $0.reason)], value: $0.count)
                }
            })
        series(
            .counter, "belfry_pushes_expired_total", "Pushes that became too old before they were accepted.",
            pushes.map { (labels: [("provider", $0.provider.name)], value: $0.expired.count) })
        histograms(
            "belfry_push_seconds", "From sending a push to its answer, or to giving up on one.", by: "provider",
            pushes.map { ($0.provider.name, $0.latency.counts) })
    }

    /// Writes the numbers of jobs in the store.
    mutating func waiting(_ jobs: [Device.Provider: Int64], of providers: ProviderList) {
        series(
            .gauge, "belfry_push_jobs_by_provider", "Push jobs that wait or are under way, for each provider.",
            providers.map { (labels: [("provider", $0.name)], value: Int(jobs[$0] ?? 0)) })
    }

    private mutating func gauges(
        _ name: String, _ help: String, _ pushes: [PushMetrics], _ level: (PushMetrics) -> Int
    ) {
        series(.gauge, name, help, pushes.map { (labels: [("provider", $0.provider.name)], value: level($0)) })
    }
}
