/// Limits the number of frames in a span of time; counts in fixed windows, which take six bytes.
struct RateWindow {
    /// The values that all windows share, so that none keeps its own.
    struct Limit {
        let count: Int
        fileprivate let grainNanoseconds: Int64

        init(count: Int, span: Duration) {
            self.count = count
            grainNanoseconds = max(Moment.nanoseconds(in: span) / Int64(grainsPerSpan), 1)
        }
    }

    /// A window may be shorter by one grain.
    private static let grainsPerSpan: UInt32 = 64

    /// In grains since the clock's epoch, modulo 2^32: for windows of ten seconds that is 21 years.
    private var end: UInt32
    private var count: UInt16 = 0

    init(_ limit: Limit, from now: Moment) { end = now.grains(limit) &+ Self.grainsPerSpan }

    /// Counts one more frame; false if it is one too many.
    mutating func admits(at now: Moment, _ limit: Limit) -> Bool {
        let grains = now.grains(limit)
        // The difference is right, even after either has wrapped around.
        if Int32(bitPattern: grains &- end) >= 0 {
            end = grains &+ Self.grainsPerSpan
            count = 0
        }
        // Stops before an overflow: no limit is as high, see `limits.clientFramesPer10s`.
        if count < .max { count += 1 }
        return Int(count) <= limit.count
    }
}

extension Moment {
    fileprivate func grains(_ limit: RateWindow.Limit) -> UInt32 {
        UInt32(truncatingIfNeeded: count(ofNanoseconds: limit.grainNanoseconds))
    }
}
