/// Writes metrics in Prometheus' text exposition format, version 0.0.4.
struct PrometheusText {
    private(set) var text = ""

    mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        describe(name, help, "gauge")
        text += "\(name) \(value)\n"
    }

    mutating func counter(_ name: String, _ help: String, _ value: Int) {
        describe(name, help, "counter")
        text += "\(name) \(value)\n"
    }

    mutating func counter(_ name: String, _ help: String, _ series: [(label: String, value: String, count: Int)]) {
        describe(name, help, "counter")
        for (label, value, count) in series { text += "\(name){\(label)=\"\(value)\"} \(count)\n" }
    }

    mutating func histogram(_ name: String, _ help: String, _ histogram: LatencyHistogram) {
        describe(name, help, "histogram")
        let buckets = histogram.cumulative
        for (bound, count) in buckets { text += "\(name)_bucket{le=\"\(bound)\"} \(count)\n" }
        text += "\(name)_sum \(histogram.sumSeconds)\n\(name)_count \(buckets.last?.count ?? 0)\n"
    }

    private mutating func describe(_ name: String, _ help: String, _ kind: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }
}
