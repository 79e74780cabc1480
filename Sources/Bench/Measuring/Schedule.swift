/// When publications are due. Each has its moment before anything is sent, and its times count from there: a server
/// that stands still for a second makes the publications of that second late, instead of making them fewer (coordinated
/// omission, as Gil Tene named it).
package struct Schedule: Sendable {
    /// A second; nil for as fast as there is room.
    private let rate: Double?
    private let start: Int64
    private var end: Int64
    private var taken: Int64 = 0

    /// - Parameters:
    ///   - rate: publications a second, above 0; nil: one is due whenever there is room, so that its time counts from
    ///     its sending.
    ///   - start: by ``BenchClock``, as is `end`, from which on nothing is due.
    package init(rate: Double?, start: Int64, end: Int64) {
        precondition(rate.map { $0 > 0 } ?? true, "a rate is above 0")
        (self.rate, self.start, self.end) = (rate, start, end)
    }

    /// When the next one is due; nil once there is none any more.
    package func nextDue(at now: Int64) -> Int64? {
        let due = rate.map { start + Int64(Double(taken) * 1e9 / $0) } ?? max(now, start)
        return due < end ? due : nil
    }

    /// Takes the next one if its moment has come, and returns that moment.
    package mutating func take(at now: Int64) -> Int64? {
        guard let due = nextDue(at: now), due <= now else { return nil }
        taken += 1
        return due
    }

    /// How many were due by then and are not taken; without a rate none ever is.
    package func waiting(at now: Int64) -> Int {
        guard let rate else { return 0 }
        let passed = min(now, end - 1) - start
        guard passed >= 0 else { return 0 }
        return Int(max(0, Int64(Double(passed) * rate / 1e9) + 1 - taken))
    }

    /// The moments of those.
    package func waitingMoments(at now: Int64) -> [Int64] {
        guard let rate else { return [] }
        return (taken..<taken + Int64(waiting(at: now))).map { start + Int64(Double($0) * 1e9 / rate) }
    }

    /// Nothing is due any more from this moment on.
    package mutating func finish(at now: Int64) { end = min(end, now) }

    /// Whether nothing will be due any more.
    package func isOver(at now: Int64) -> Bool { nextDue(at: now) == nil }
}
