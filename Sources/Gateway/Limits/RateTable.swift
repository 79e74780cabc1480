/// Counts how often each of many clients came within a span of time, in memory that never grows. A client has one
/// counter in each of two rows, found by a hash.
///
/// Others may share a counter, so the smaller of the two counts. It is too high only if others share both counters, and
/// never too low.
struct RateTable {
    /// One counter, which restarts with each span.
    private struct Cell {
        var span: UInt32 = 0
        var count: UInt32 = 0

        /// Counts one more in this span, and returns the count.
        mutating func add(in span: UInt32) -> UInt32 {
            if self.span != span { (self.span, count) = (span, 0) }
            // Stops before an overflow: no limit is as high.
            if count < .max { count += 1 }
            return count
        }
    }

    private var cells: [Cell]
    private let mask: Int

    /// - Parameter places: the counters of each row; a power of two.
    init(places: Int) {
        precondition(places > 0 && places & (places - 1) == 0, "a power of two")
        cells = Array(repeating: Cell(), count: places * 2)
        mask = places - 1
    }

    /// Counts one more request, and returns how many there are in this span.
    ///
    /// - Parameter hash: the client's, well mixed: its halves choose the two counters.
    mutating func count(_ hash: Int, in span: UInt32) -> Int {
        let first = cells[hash & mask].add(in: span)
        let second = cells[(hash >> 32) & mask + mask + 1].add(in: span)
        return Int(min(first, second))
    }
}
