/// The arguments of one run of a statement, in order: `[inbox, text, nil]`.
struct Arguments: ExpressibleByArrayLiteral {
    fileprivate let values: [(any StatementArgument)?]

    init(arrayLiteral values: (any StatementArgument)?...) { self.values = values }
    private init(_ values: [(any StatementArgument)?]) { self.values = values }

    static func + (one: Self, other: Self) -> Self { Self(one.values + other.values) }

    func append(to writer: inout StatementArgumentWriter) {
        for value in values {
            if let value { value.append(to: &writer) } else { writer.append(Int64?.none) }
        }
    }
}

/// A value that a column can hold.
protocol StatementArgument {
    func append(to writer: inout StatementArgumentWriter)
}

extension Int64: StatementArgument {
    func append(to writer: inout StatementArgumentWriter) { writer.append(self) }
}

extension Int: StatementArgument {
    func append(to writer: inout StatementArgumentWriter) { writer.append(self) }
}

extension Bool: StatementArgument {
    func append(to writer: inout StatementArgumentWriter) { writer.append(self ? 1 : 0 as Int64) }
}

extension String: StatementArgument {
    func append(to writer: inout StatementArgumentWriter) { writer.append(self) }
}

extension [UInt8]: StatementArgument {
    func append(to writer: inout StatementArgumentWriter) { writer.append(self) }
}
