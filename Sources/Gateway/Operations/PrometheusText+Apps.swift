extension PrometheusText {
    /// As many series as there are counters, whose number is limited.
    mutating func apps(_ apps: [AppCounters]) {
        series(
            .counter, "belfry_app_events_total", "Events taken in, by app.",
            apps.map { ([("app", $0.name)], $0.events.count) })
        series(
            .counter, "belfry_app_changes_total", "Committed inbox changes, by app.",
            apps.map { ([("app", $0.name)], $0.changes.count) })
        series(
            .gauge, "belfry_app_sessions", "Authenticated live sessions, by app.",
            apps.map { ([("app", $0.name)], $0.sessions.level) })
        series(
            .counter, "belfry_app_pushes_total", "Answers of push services to pushes, by app.",
            apps.flatMap { app in
                app.verdicts.counts.map { ([("app", app.name), ("verdict", $0.verdict)], $0.count) }
            })
    }
}
