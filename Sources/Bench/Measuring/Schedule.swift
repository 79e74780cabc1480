/// The times at which publications are due. Each time is fixed before anything is sent, and latencies count from it. A
/// server that stands still for a second thus makes the publications of that second late, instead of fewer (Gil Tene's
/// "coordinated omission").
package struct Schedule: Sendable {
    /// Publications a second; nil for as fast as there is room.
    private let rate: Double?
    private let start: Int64
    private var end: Int64
    private var taken: Int64 = 0

    /// - Parameters:
    ///   - rate: publications a second, above 0. If nil, one is due whenever there is room, so that its time counts
    ///     from
    ///     its sending.
    ///   - start: by ``BenchClock``.
    ///   - end: by ``BenchClock``; nothing is due from then on.
    package init(rate: Double?, start: Int64, end: Int64) {
        precondition(rate.map { $0 > 0 } ?? true, "a rate is above 0")
        (self.rate, self.start, self.end) = (rate, start, end)
    }

    /// The time of the next one; nil after the last.
    package func nextDue(at now: Int64) -> Int64? {
        let due = rate.map { start + Int64(Double(taken) * 1e9 / $0) } ?? max(now, start)
        return due < end ? due : nil
    }

    /// Takes the next one if it is due, and returns its time.
    package mutating func take(at now: Int64) -> Int64? {
        guard let due = nextDue(at: now), due <= now else { return nil }
        taken += 1
        return due
    }

    /// The number of due ones that are not taken; without a rate always 0.
    package func waiting(at now: Int64) -> Int {
        guard let rate else { return 0 }
        let passed = min(now, end - 1) - start
        guard passed >= 0 else { return 0 }
        return Int(max(0, Int64(Double(passed) * rate / 1e9) + 1 - taken))
    }

    /// The times of those.
    package func waitingMoments(at now: Int64) -> [Int64] {
        guard let rate else { return [] }
        return (taken..<taken + Int64(waiting(at: now))).map { start + Int64(Double($0) * 1e9 / rate) }
    }

    /// Ends the schedule at this moment.
    package mutating func finish(at now: Int64) { end = min(end, now) }

    /// Whether the schedule has ended.
    package func isOver(at now: Int64) -> Bool { nextDue(at: now) == nil }
}
