/// At most so many within a span of time; counts in fixed windows, which costs eight bytes.
struct RateWindow {
    /// What all windows have in common, and so is not kept by each.
    struct Limit {
        let count: Int
        fileprivate let grainNanoseconds: Int64

        init(count: Int, span: Duration) {
            self.count = count
            grainNanoseconds = max(Moment.nanoseconds(in: span) / Int64(grainsPerSpan), 1)
        }
    }

    /// A window may be shorter by one of them.
    private static let grainsPerSpan: UInt32 = 64

    /// In grains since the clock's epoch, modulo 2^32: of ten seconds that is 21 years.
    private var end: UInt32
    private var count: UInt32 = 0

    init(_ limit: Limit, from now: Moment) { end = now.grains(limit) &+ Self.grainsPerSpan }

    /// Counts one more; false if it is one too many.
    mutating func admits(at now: Moment, _ limit: Limit) -> Bool {
        let grains = now.grains(limit)
        // The difference tells, whatever the modulus has done to either.
        if Int32(bitPattern: grains &- end) >= 0 {
            end = grains &+ Self.grainsPerSpan
            count = 0
        }
        // Stops where it could overflow: no limit is as high.
        if count < .max { count += 1 }
        return Int(count) <= limit.count
    }
}

extension Moment {
    fileprivate func grains(_ limit: RateWindow.Limit) -> UInt32 {
        UInt32(truncatingIfNeeded: count(ofNanoseconds: limit.grainNanoseconds))
    }
}
