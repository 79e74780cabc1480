import Push
import Storage
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
                let sample = try #require(line.wholeMatch(of: /([a-z_]+)(\{[a-z]+="[^"\\]*"\})? ([-+.0-9e]+)/))
                #expect(sample.1.hasPrefix(family))
                let value = try #require(Double(sample.3))
                samples.append(Sample(name: String(sample.1), labels: String(sample.2 ?? ""), value: value))
            }
        }
        #expect(Set(samples.map { $0.name + $0.labels }).count == samples.count)
        return samples
    }

    @Test func `all metrics of a node are in the format`() throws {
        let metrics = Metrics()
        metrics.sessions.add(3)
        metrics.sessions.add(-1)
        metrics.framesIn.add()
        metrics.countPush(.busy(retryAfter: nil))
        metrics.countPush(.refused(reason: "\"quoted\"\n"))
        metrics.countPush(.refused(reason: ""))
        metrics.publishLatency.record(.milliseconds(2))
        let statistics = StoreStatistics(inboxes: 4, notifications: 9, contents: 3, pushJobs: 2, unreadDrift: 0)
        let samples = try parse(metrics.prometheusText(connections: 7, Edge(Settings()), waitingRows: 5, statistics))
        let values = Dictionary(uniqueKeysWithValues: samples.map { ($0.name + $0.labels, $0.value) })
        #expect(values["belfry_connections"] == 7)
        #expect(values["belfry_sessions"] == 2)
        #expect(values["belfry_frames_received_total"] == 1)
        #expect(values[#"belfry_pushes_total{verdict="accepted"}"#] == 0)
        #expect(values[#"belfry_pushes_total{verdict="busy"}"#] == 1)
        #expect(values[#"belfry_pushes_total{verdict="refused"}"#] == 2)
        #expect(values["belfry_publish_seconds_count"] == 1)
        #expect(values["belfry_publish_seconds_sum"] == 0.002)
        #expect(values["belfry_notifications"] == 9)
        #expect(values["belfry_unread_drift"] == 0)
    }

    @Test func `without the store the process' own counters are there`() throws {
        let names = try parse(Metrics().prometheusText(connections: 0, Edge(Settings()), waitingRows: 0, nil)).map(
            \.name)
        #expect(names.contains("belfry_sessions"))
        #expect(!names.contains("belfry_inboxes"))
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
