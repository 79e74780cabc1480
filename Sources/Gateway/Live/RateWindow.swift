/// At most so many within a span of time; counts in fixed windows, which costs twelve bytes.
struct RateWindow {
    /// What all windows have in common, and so is not kept by each.
    struct Limit {
        let count: Int
        let span: Duration
    }

    private var end: Moment
    private var count: UInt32 = 0

    init(_ limit: Limit, from now: Moment) { end = now + limit.span }

    /// Counts one more; false if it is one too many.
    mutating func admits(at now: Moment, _ limit: Limit) -> Bool {
        if now >= end {
            end = now + limit.span
            count = 0
        }
        // Stops where it could overflow: no limit is as high.
        if count < .max { count += 1 }
        return Int(count) <= limit.count
    }
}
