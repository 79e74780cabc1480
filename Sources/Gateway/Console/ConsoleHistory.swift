import JSON

/// The last hour of samples, one a second, in a ring of a fixed size. A second without a sample has no numbers.
struct ConsoleHistory: Sendable {
    static let seconds = 3_600

    private let width: Int
    private var values: [Float]
    /// The second of the newest sample, since 1970; nil before the first.
    private(set) var last: Int64?
    private var first: Int64?

    /// - Parameter width: how many values a sample has.
    init(width: Int) {
        self.width = width
        values = Array(repeating: .nan, count: Self.seconds * width)
    }

    /// Adds a sample. One of an earlier second than the last, after the clock was set back, begins anew.
    mutating func append(_ sample: [Float], second: Int64) {
        precondition(sample.count == width, "every sample has the same figures")
        if let last, second <= last, second > last - 2 {
            // Two samples in one second, as timers are not exact: the later one counts.
            return write(sample, second: last)
        }
        if let last, second > last {
            let gap = min(second - last - 1, Int64(Self.seconds))
            for missed in (second - gap)..<second { write(Array(repeating: .nan, count: width), second: missed) }
        } else {
            first = nil
        }
        last = second
        first = max(first ?? second, second - Int64(Self.seconds) + 1)
        write(sample, second: second)
    }

    private mutating func write(_ sample: [Float], second: Int64) {
        let start = Int(second % Int64(Self.seconds)) * width
        values.replaceSubrange(start..<(start + width), with: sample)
    }

    /// The newest sample; nil before the first.
    var newest: [Float]? { last.map { row($0) } }

    private func row(_ second: Int64) -> [Float] {
        let start = Int(second % Int64(Self.seconds)) * width
        return Array(values[start..<(start + width)])
    }

    /// Writes the members `from`, the first second, and `columns`, an array for each name with a value a second.
    func write(_ names: [String], to json: inout JSONWriter) {
        guard let last, let first else {
            json.member("from", .null)
            json.member("columns", [:])
            return
        }
        json.member("from", first)
        json.key("columns")
        json.object { json in
            for (column, name) in names.enumerated() {
                json.key(dynamic: name)
                json.array { json in
                    for second in first...last {
                        json.figure(values[Int(second % Int64(Self.seconds)) * width + column])
                    }
                }
            }
        }
    }
}

extension JSONWriter {
    /// Three digits behind the point are enough for a plot; what is not a number is null.
    mutating func figure(_ value: Float) {
        guard value.isFinite else { return null() }
        let rounded = (Double(value) * 1_000).rounded() / 1_000
        if let whole = Int64(exactly: rounded) { self.value(whole) } else { self.value(rounded) }
    }
}
