import Inbox
import Push
import Store
import Testing

@testable import Gateway

struct PrometheusTextTests {
    /// One line that is not a comment.
    struct Sample: Hashable {
        let name: String
        let labels: String
        let value: Double
    }

    /// Reads the text format strictly: each metric has its help and its type right before its samples, and stands once.
    func parse(_ text: String) throws -> [Sample] {
        var samples: [Sample] = []
        var described: Set<String> = []
        var family = ""
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            if let help = line.wholeMatch(of: /# HELP ([a-z_]+) \S.*/) {
                family = String(help.1)
                let isFirst = described.insert(family).inserted
                #expect(isFirst, "\(family) is described twice")
            } else if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (gauge|counter|histogram)/) {
                #expect(type.1 == family)
                if type.2 == "counter" { #expect(family.hasSuffix("_total")) }
            } else {
                let sample = try #require(line.wholeMatch(of: Self.sample))
                #expect(sample.1.hasPrefix(family))
                let value = try #require(Double(sample.3))
                samples.append(Sample(name: String(sample.1), labels: String(sample.2 ?? ""), value: value))
            }
        }
        #expect(Set(samples.map { $0.name + $0.labels }).count == samples.count)
        return samples
    }

    /// A name, labels whose values are escaped, and a number.
    private static var sample: Regex<(Substring, Substring, Substring?, Substring)> {
        /([a-z_]+)(\{[a-z]+="(?:[^"\\]|\\["\\n])*"(?:,[a-z]+="(?:[^"\\]|\\["\\n])*")*\})? ([-+.0-9e]+)/
    }

    @Test func `all metrics of a node are in the format`() throws {
        let metrics = Metrics()
        metrics.sessions.add(3)
        metrics.sessions.add(-1)
        metrics.framesIn.add()
        let pushes = metrics.pushes(of: .fcm)
        pushes.count(.busy(retryAfter: nil, scope: .provider))
        for reason in ["\"quoted\"\n\\", ""] {
            pushes.count(.refused(reason: reason))
            pushes.countRefusal(reason)
        }
        pushes.latency.record(.milliseconds(80))
        metrics.publishLatency.record(.milliseconds(2))
        var counts = StoreCounts(began: Timestamp(milliseconds: 1_751_641_364_161))
        (counts.inboxes, counts.notifications, counts.devices) = (4, 9, 6)
        metrics.outbox.refused.add()
        var statistics = StoreStatistics(
            pushJobsByProvider: [.apns: 2], counts: counts, remembered: RememberedChanges(changes: 8, bytes: 262_144))
        statistics.outbox = OutboxFigures(waiting: 12, oldest: .milliseconds(1_500), refused: 3)
        let samples = try parse(
            metrics.prometheusText(
                connections: 7, Edge(Settings()), store: StoreReading(waitingRows: 5), statistics, .current()))
        let values = Dictionary(uniqueKeysWithValues: samples.map { ($0.name + $0.labels, $0.value) })
        #expect(values["belfry_connections"] == 7)
        #expect(values[#"belfry_build_info{version="\#(Release.version)"}"#] == 1)
        #expect(values["process_cpu_seconds_total"].map { $0 > 0 } == true)
        #expect(values["belfry_sessions"] == 2)
        #expect(values["belfry_frames_received_total"] == 1)
        #expect(values[#"belfry_pushes_total{provider="fcm",verdict="accepted"}"#] == 0)
        #expect(values[#"belfry_pushes_total{provider="fcm",verdict="busy"}"#] == 1)
        #expect(values[#"belfry_pushes_total{provider="fcm",verdict="refused"}"#] == 2)
        #expect(values[#"belfry_pushes_total{provider="apns",verdict="refused"}"#] == 0)
        #expect(values[#"belfry_push_refusals_total{provider="fcm",reason="\"quoted\"\n\\"}"#] == 1)
        #expect(values[#"belfry_push_refusals_total{provider="fcm",reason=""}"#] == 1)
        #expect(values[#"belfry_push_seconds_bucket{provider="fcm",le="0.1"}"#] == 1)
        #expect(values[#"belfry_push_seconds_count{provider="fcm"}"#] == 1)
        #expect(values["belfry_publish_seconds_count"] == 1)
        #expect(values["belfry_publish_seconds_sum"] == 0.002)
        #expect(values["belfry_notifications"] == 9)
        #expect(values["belfry_unread_drift"] == 0)
        #expect(values[#"belfry_push_jobs_by_provider{provider="apns"}"#] == 2)
        #expect(values[#"belfry_push_jobs_by_provider{provider="fcm"}"#] == 0)
        #expect(values["belfry_devices"] == 6)
        #expect(values["belfry_remembered_changes"] == 8)
        #expect(values["belfry_remembered_change_bytes"] == 262_144)
        #expect(values["belfry_store_counted_timestamp_seconds"] == 1_751_641_364.161)
        #expect(values["belfry_outbox_rows"] == 12)
        #expect(values["belfry_outbox_oldest_seconds"] == 1.5)
        #expect(values["belfry_outbox_refused_rows"] == 3)
        #expect(values["belfry_outbox_refused_total"] == 1)
    }

    @Test func `uncounted figures are not told, and the queue's length is`() throws {
        let statistics = StoreStatistics(
            pushJobsByProvider: [.apns: 2, .fcm: 3], counts: nil, remembered: RememberedChanges(changes: 0, bytes: 0))
        let samples = try parse(
            Metrics().prometheusText(connections: 0, Edge(Settings()), store: StoreReading(), statistics, .current()))
        #expect(samples.first { $0.name == "belfry_push_jobs" }?.value == 5)
        let counted = ["inboxes", "notifications", "devices", "unread_drift", "store_counted_timestamp_seconds"]
        #expect(samples.allSatisfy { !counted.map { "belfry_" + $0 }.contains($0.name) })
    }

    @Test func `without the store the process' own counters are there`() throws {
        let names = try parse(
            Metrics().prometheusText(connections: 0, Edge(Settings()), store: StoreReading(), nil, nil)
        ).map(
            \.name)
        #expect(names.contains("belfry_sessions"))
        #expect(!names.contains("belfry_inboxes"))
    }

    @Test func `figures that a node cannot read are left out, and so are those of the caretaker elsewhere`() throws {
        var figures = NodeFigures()
        figures.retries = [.deadlock: 2]
        figures.listenerLag.record(.milliseconds(3))
        func values() throws -> [String: Double] {
            let text = Metrics().prometheusText(
                connections: 0, try Edge(Settings()), store: StoreReading(node: figures), nil, nil)
            return Dictionary(uniqueKeysWithValues: try parse(text).map { ($0.name + $0.labels, $0.value) })
        }
        var found = try values()
        #expect(found["belfry_store_is_caretaker"] == 0)
        #expect(found["belfry_lost_wakeups_total"] == 0)
        #expect(found[#"belfry_store_retries_total{reason="deadlock"}"#] == 2)
        #expect(found[#"belfry_store_retries_total{reason="serialization"}"#] == 0)
        #expect(found[#"belfry_listener_lag_seconds_bucket{le="0.005"}"#] == 1)
        #expect(found["belfry_store_round_trip_seconds_count"] == 0)
        #expect(found["belfry_store_nodes"] == nil)
        #expect(found["belfry_store_bytes"] == nil)

        (figures.isCaretaker, figures.nodes) = (true, 3)
        var database = DatabaseFigures()
        (database.notifyQueue, database.connections, database.lockWaiters) = (0.25, 40, 0)
        database.tables = [.init(name: "push_job", livingRows: 5, deadRows: 7)]
        figures.database = database
        found = try values()
        #expect(found["belfry_store_is_caretaker"] == 1)
        #expect(found["belfry_store_nodes"] == 3)
        #expect(found["belfry_store_notify_queue_ratio"] == 0.25)
        #expect(found["belfry_store_connections"] == 40)
        #expect(found["belfry_store_lock_waiters"] == 0)
        #expect(found[#"belfry_store_dead_rows{table="push_job"}"#] == 7)
        #expect(found[#"belfry_store_live_rows{table="push_job"}"#] == 5)
        #expect(found["belfry_store_oldest_transaction_seconds"] == nil)
        #expect(found["belfry_store_connections_max"] == nil)
    }

    @Test func `gauges, counters and series are written as the format says`() {
        var text = PrometheusText()
        text.gauge("a", "What a is.", -1)
        text.counter("b_total", "What b is.", [("kind", "x", 1), ("kind", "y", 2)])
        #expect(
            text.text == """
                # HELP a What a is.
                # TYPE a gauge
                a -1
                # HELP b_total What b is.
                # TYPE b_total counter
                b_total{kind="x"} 1
                b_total{kind="y"} 2

                """)
    }
}
