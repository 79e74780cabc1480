import Push

/// Counts what push services have said to pushes.
struct VerdictCounters: Sendable {
    private let counters = ["accepted", "device_gone", "busy", "refused"].map { ($0, Counter()) }

    func count(_ verdict: Verdict) {
        let index =
            switch verdict {
            case .accepted: 0
            case .deviceGone: 1
            case .busy: 2
            case .refused: 3
            }
        counters[index].1.add()
    }

    /// Always the same verdicts, in the same order.
    var counts: [(verdict: String, count: Int)] { counters.map { ($0, $1.count) } }
}
