import Store

/// All counters of one moment, of which two make a sample. Counts are since the start; a figure that is unknown is nil.
struct ConsoleReading: Sendable {
    struct Provider: Sendable {
        var name: String
        /// Nil where the store does not know without asking the database.
        var queue: Int?
        /// In the order of ``VerdictCounters/counts``.
        var verdicts: [Int] = []
        var expired = 0
    }

    var sessions = 0
    var connections = 0
    var framesSent = 0
    var framesReceived = 0
    var framesFolded = 0
    var closedSlow = 0
    var refusedConnections = 0
    var events = 0
    var eventsRefused = 0
    var publishes = DurationCounts()
    var commits = 0
    var changes = 0
    var commitTimes: DurationCounts?
    var waitingRows = 0
    var acks = 0
    var pushesInFlight = 0
    var memoryBytes: Int?
    var cpuSeconds: Double?
    var providers: [Provider] = []

    /// The values of ``ConsoleColumns``, in its order. What is unknown, or was not measured in this time, is not a
    /// number.
    ///
    /// - Parameters:
    ///   - earlier: the reading before.
    ///   - seconds: between the two, above 0.
    func sample(since earlier: ConsoleReading, seconds: Double) -> [Float] {
        func rate(_ count: KeyPath<ConsoleReading, Int>) -> Double {
            Double(max(0, self[keyPath: count] - earlier[keyPath: count])) / seconds
        }
        let publishes = self.publishes.since(earlier.publishes)
        let commitTimes = earlier.commitTimes.flatMap { self.commitTimes?.since($0) }
        let commits = self.commits - earlier.commits
        let cpu = zip(cpuSeconds, earlier.cpuSeconds).map { ($0 - $1) / seconds * 100 }
        var values: [Double?] = [
            Double(sessions), Double(connections), rate(\.framesSent), rate(\.framesReceived), rate(\.framesFolded),
            rate(\.closedSlow), rate(\.refusedConnections), rate(\.events), rate(\.eventsRefused),
            publishes.milliseconds(at: 0.5), publishes.milliseconds(at: 0.9), publishes.milliseconds(at: 0.99),
            rate(\.commits), commits > 0 ? Double(max(0, changes - earlier.changes)) / Double(commits) : nil,
            commitTimes?.milliseconds(at: 0.5), commitTimes?.milliseconds(at: 0.99), Double(waitingRows), rate(\.acks),
            Double(pushesInFlight), memoryBytes.map(Double.init), cpu,
        ]
        for (now, before) in zip(providers, earlier.providers) {
            values.append(now.queue.map(Double.init))
            values += zip(now.verdicts, before.verdicts).map { Double(max(0, $0 - $1)) / seconds }
            values.append(Double(max(0, now.expired - before.expired)) / seconds)
        }
        return values.map { Float($0 ?? .nan) }
    }

    private func zip(_ left: Double?, _ right: Double?) -> (Double, Double)? {
        if let left, let right { (left, right) } else { nil }
    }

    private func zip<Left, Right>(_ left: [Left], _ right: [Right]) -> Zip2Sequence<[Left], [Right]> {
        Swift.zip(left, right)
    }
}

extension DurationCounts {
    /// What was counted between two moments.
    func since(_ earlier: DurationCounts) -> [Int] { zip(buckets, earlier.buckets).map { max(0, $0 - $1) } }
}

extension [Int] {
    /// A percentile of durations that are counted in the buckets of ``DurationCounts``, in milliseconds; nil without
    /// any. Within a bucket durations count as spread evenly, and beyond the last bound as that bound.
    fileprivate func milliseconds(at share: Double) -> Double? {
        let total = reduce(0, +)
        guard total > 0 else { return nil }
        let wanted = share * Double(total)
        var passed = 0
        for (place, count) in enumerated() where count > 0 {
            if Double(passed + count) >= wanted {
                let low = place == 0 ? 0 : DurationCounts.bounds[place - 1]
                let high = place < DurationCounts.bounds.count ? DurationCounts.bounds[place] : low
                let within = (wanted - Double(passed)) / Double(count)
                return (Double(low) + within * Double(high - low)) / 1_000
            }
            passed += count
        }
        return nil
    }
}
