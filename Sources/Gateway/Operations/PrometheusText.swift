import Store

/// Writes metrics in Prometheus' text exposition format, version 0.0.4.
struct PrometheusText {
    enum Kind: String {
        case gauge, counter
    }

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

    mutating func number(_ kind: Kind, _ name: String, _ help: String, _ value: Double) {
        describe(name, help, kind.rawValue)
        text += "\(name) \(value)\n"
    }

    /// Writes a row for each set of labels.
    mutating func series(
        _ kind: Kind, _ name: String, _ help: String, _ rows: [(labels: [(name: String, value: String)], value: Int)]
    ) {
        describe(name, help, kind.rawValue)
        for (labels, value) in rows { text += "\(name){\(Self.list(labels))} \(value)\n" }
    }

    mutating func histogram(_ name: String, _ help: String, _ counts: DurationCounts) {
        describe(name, help, "histogram")
        write(counts, name, labels: [])
    }

    /// Writes a histogram for each value of a label.
    mutating func histograms(
        _ name: String, _ help: String, by label: String, _ histograms: [(value: String, DurationCounts)]
    ) {
        describe(name, help, "histogram")
        for (value, counts) in histograms { write(counts, name, labels: [(label, value)]) }
    }

    private mutating func write(_ counts: DurationCounts, _ name: String, labels: [(name: String, value: String)]) {
        let buckets = counts.cumulative
        for (bound, count) in buckets { text += "\(name)_bucket{\(Self.list(labels + [("le", bound)]))} \(count)\n" }
        let suffix = labels.isEmpty ? "" : "{\(Self.list(labels))}"
        text += "\(name)_sum\(suffix) \(counts.sumSeconds)\n"
        text += "\(name)_count\(suffix) \(buckets.last?.count ?? 0)\n"
    }

    private static func list(_ labels: [(name: String, value: String)]) -> String {
        labels.map { "\($0.name)=\"\(escaped($0.value))\"" }.joined(separator: ",")
    }

    /// Some values are foreign texts.
    private static func escaped(_ value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x5C || $0 == 0x22 || $0 == 0x0A }) else { return value }
        return value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private mutating func describe(_ name: String, _ help: String, _ kind: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind)\n"
    }
}
