/// Counts how often each of many came within a span of time, in memory that never grows: two rows of counters, in each
/// of which one who comes has a place by a hash.
///
/// Others may have the same place. The smaller of the two counts is the one that is believed: it is too high only where
/// others share both places, and never too low.
struct RateTable {
    /// One counter; it starts anew with each span.
    private struct Cell {
        var span: UInt32 = 0
        var count: UInt32 = 0

        /// The count with one more, in this span.
        mutating func add(in span: UInt32) -> UInt32 {
            if self.span != span { (self.span, count) = (span, 0) }
            // Stops where it could overflow: no limit is as high.
            if count < .max { count += 1 }
            return count
        }
    }

    private var cells: [Cell]
    private let mask: Int

    /// - Parameter places: of each row; a power of two.
    init(places: Int) {
        precondition(places > 0 && places & (places - 1) == 0, "a power of two")
        cells = Array(repeating: Cell(), count: places * 2)
        mask = places - 1
    }

    /// Counts one more, and returns how many there are in this span.
    ///
    /// - Parameter hash: a good one, of whoever comes: two halves of it are two places.
    mutating func count(_ hash: Int, in span: UInt32) -> Int {
        let first = cells[hash & mask].add(in: span)
        let second = cells[(hash >> 32) & mask + mask + 1].add(in: span)
        return Int(min(first, second))
    }
}
