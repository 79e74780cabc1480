import Inbox

/// Reads a row's columns by index, and notes values that cannot have been written.
///
/// Such a value is read as the nearest harmless one, so that its row can still be replaced or removed. Lists and pushes
/// leave the row out.
struct CheckedRow {
    /// Whether one of the columns that were read is damaged.
    private(set) var isDamaged = false
    private let row: StoredRow

    /// Beyond any count or time, and small enough for sums.
    static let furthest = Int64(1) << 53

    init(_ row: StoredRow) { self.row = row }

    /// A number that is never negative.
    mutating func count(_ index: Int) -> Int64 { number(index, 0...Self.furthest) ?? missing(0) }

    mutating func optionalCount(_ index: Int) -> Int64? { number(index, 0...Self.furthest) }

    mutating func flag(_ index: Int) -> Bool { (number(index, 0...1) ?? missing(0)) != 0 }

    mutating func time(_ index: Int) -> Timestamp { optionalTime(index) ?? missing(Timestamp(milliseconds: 0)) }

    mutating func optionalTime(_ index: Int) -> Timestamp? {
        number(index, -Self.furthest...Self.furthest).map(Timestamp.init(milliseconds:))
    }

    mutating func text(_ index: Int) -> String { optionalText(index) ?? missing("") }

    mutating func optionalText(_ index: Int) -> String? {
        do {
            if let text = try row.validText(index) { return text }
            let repaired = try row.optionalText(index)
            if repaired != nil { isDamaged = true }
            return repaired
        } catch { return missing(nil) }
    }

    mutating func optionalBytes(_ index: Int) -> [UInt8]? {
        do { return try row.bytes(index) } catch { return missing(nil) }
    }

    /// Notes that a value read from the row makes no sense.
    mutating func note() { isDamaged = true }

    /// Nil for NULL and for anything but a number.
    private mutating func number(_ index: Int, _ range: ClosedRange<Int64>) -> Int64? {
        do {
            guard let value = try row.optionalInt(index) else { return nil }
            if range.contains(value) { return value }
            return missing(min(max(value, range.lowerBound), range.upperBound))
        } catch { return missing(nil) }
    }

    private mutating func missing<Value>(_ value: Value) -> Value {
        isDamaged = true
        return value
    }
}
