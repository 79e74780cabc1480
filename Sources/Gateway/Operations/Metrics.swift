package import Inbox
package import Push
import Store
import Transport
package import WireProtocol

/// A node's counters: single additions on hot paths, read by each scrape.
package final class Metrics: Sendable {
    package let sessions = Gauge()
    /// Those sessions, by how their frames travel.
    let ways = LiveWay.allCases.map { (way: $0, sessions: Gauge()) }
    /// Live connections, including those before their hello.
    let webSockets = Gauge()
    /// How many sessions a second are told to come back; 0 before the node leaves.
    let drainRate = Gauge()
    package let framesIn = Counter()
    package let framesOut = Counter()
    package let framesFolded = Counter()
    package let commits = Counter()
    package let changes = Counter()
    package let eventsPublished = Counter()
    package let eventsRefused = Counter()
    package let acks = Counter()
    let storeFailures = Counter()
    /// Reads of an inbox's state for clients that resume or poll.
    package let inboxReadsFromMemory = Counter()
    package let inboxReadsFromStore = Counter()
    package let publishLatency = LatencyHistogram()
    let outbox = OutboxCounters()
    /// Pushes that did not leave, as a screen acknowledged their notification before.
    let pushesSaved = Counter()
    let seenMeter = SeenMeter()
    let traces = TraceCounters()
    /// Pushes that were sent and whose outcomes the store has yet to take.
    package let pushesInFlight = Gauge()
    /// The shares of single apps; nil where no app has a name, which then costs nothing.
    let apps: AppMetrics?
    private let closes = LiveCloseCode.allCases.map { (code: $0, count: Counter()) }
    private let providers: ProviderList
    private let pushes: [PushMetrics]

    private let droppedLogLines: Counter

    /// - Parameter namedApps: the apps with a name that the node serves.
    package init(
        _ providers: ProviderList = .standard, namedApps: [AppName] = [], droppedLogLines: Counter = Counter()
    ) {
        self.providers = providers
        apps = AppMetrics(named: namedApps)
        pushes = providers.map { PushMetrics(provider: $0) }
        self.droppedLogLines = droppedLogLines
    }

    package func pushes(of provider: Device.Provider) -> PushMetrics {
        guard let metrics = pushes.first(where: { $0.provider == provider }) else {
            preconditionFailure("there is one for each provider")
        }
        return metrics
    }

    /// The last pushes that failed for good, of all providers, by provider.
    var failedPushes: [PushFailureLog] { pushes.map(\.failures) }

    /// Lets go of what is remembered of people who were erased, on this node or another.
    func forget(_ users: [UserID]) {
        for user in users {
            seenMeter.forget(user)
            for log in failedPushes { log.forget(user) }
        }
    }

    /// How many live connections this node has closed with a code.
    package func closes(with code: LiveCloseCode) -> Counter {
        guard let closes = closes.first(where: { $0.code == code }) else {
            preconditionFailure("there is one for each code")
        }
        return closes.count
    }

    /// All metrics in Prometheus' text format, version 0.0.4.
    func prometheusText(
        connections: Int, _ edge: Edge, _ publishingEdge: PublishingEdge? = nil, store: StoreReading,
        _ statistics: StoreStatistics?, _ usage: ProcessUsage?, publishers: PublisherDirectory? = nil,
        authenticator: Authenticator? = nil, webhooks: WebhookSender? = nil, activities: ActivitySender? = nil,
        nodeName: String? = nil
    ) -> String {
        var text = PrometheusText()
        text.process(usage, node: nodeName)
        text.gauge("belfry_connections", "Open connections of clients and publishers.", connections)
        text.counter(
            "belfry_connections_refused_total", "Clients' connections that were not taken in.",
            AdmissionRefusal.allCases.map { ("reason", $0.code, edge.admission.refusedConnections($0)) })
        text.gauge(
            "belfry_accept_rate", "The most clients that came in within a second, slowly forgotten.",
            edge.admission.acceptRate())
        if let tls = edge.tls {
            text.counter(
                "belfry_tls_handshakes_total", "TLS handshakes of clients that have ended.",
                [("outcome", "completed", tls.completedHandshakes), ("outcome", "failed", tls.failedHandshakes)])
            if let end = tls.certificateEnd {
                text.gauge(
                    "belfry_tls_certificate_expiry_timestamp_seconds",
                    "When the certificate for new connections ends, since 1970.", end)
            }
        }
        text.gauge("belfry_websockets", "Open live connections, also before their hello.", webSockets.level)
        text.gauge("belfry_sessions", "Authenticated live sessions.", sessions.level)
        text.series(
            .gauge, "belfry_sessions_by_way", "Authenticated live sessions, by how their frames travel.",
            ways.map { ([("way", $0.way.rawValue)], $0.sessions.level) })
        text.counter(
            "belfry_closes_total", "Live connections that the gateway has closed, by close code.",
            closes.map { ("code", "\($0.code.rawValue)", $0.count.count) })
        text.gauge(
            "belfry_drain_rate", "Sessions a second that are told to reconnect; 0 until the node shuts down.",
            drainRate.level)
        text.counter("belfry_frames_received_total", "Frames from live clients.", framesIn.count)
        text.counter("belfry_frames_sent_total", "Frames queued for live clients.", framesOut.count)
        text.counter("belfry_frames_folded_total", "Frames left out for slow readers.", framesFolded.count)
        text.counter("belfry_commits_total", "Durable commits.", commits.count)
        text.counter("belfry_changes_total", "Inbox changes in those commits.", changes.count)
        text.counter("belfry_events_total", "Events taken in.", eventsPublished.count)
        text.counter("belfry_events_refused_total", "Events refused with an error.", eventsRefused.count)
        if let authenticator, !authenticator.providers.isEmpty { text.identity(authenticator) }
        if let publishers, !publishers.records.isEmpty { text.publishers(publishers) }
        if let publishingEdge { text.publishing(publishingEdge) }
        if let apps { text.apps(apps.all) }
        text.counter("belfry_acks_total", "Acknowledgements by attentive sessions.", acks.count)
        text.counter(
            "belfry_inbox_reads_total", "Inboxes looked up for clients that resume or poll, by what knew them.",
            [("from", "memory", inboxReadsFromMemory.count), ("from", "store", inboxReadsFromStore.count)])
        text.counter(
            "belfry_store_failures_total", "Commits and reads that the disk or the database has failed.",
            storeFailures.count)
        text.store(store)
        text.counter(
            "belfry_log_lines_dropped_total", "Log lines dropped because their reader has gone away.",
            droppedLogLines.count)
        text.counter("belfry_trace_spans_sent_total", "Spans that the collector has taken.", traces.sent.count)
        text.counter(
            "belfry_trace_spans_dropped_total", "Spans that no collector has got.", traces.dropped.count)
        if let webhooks { text.webhooks(webhooks) }
        if let activities { text.activities(activities) }
        text.histogram("belfry_publish_seconds", "From a publish's last byte to its answer.", publishLatency.counts)
        text.pushes(pushes)
        if let statistics {
            text.gauge("belfry_push_jobs", "Push jobs that wait or are under way.", Int(statistics.pushJobs))
            text.waiting(statistics.pushJobsByProvider, of: providers)
            text.remembered(statistics.remembered)
            if let figures = statistics.outbox { text.outbox(figures, outbox) }
        }
        if let figures = store.node { text.node(figures) }
        // Absent while the counts are unknown: a large store is still being counted after the start, or a small one
        // cannot be.
        if let counts = statistics?.counts { text.counted(counts) }
        return text.text
    }
}
