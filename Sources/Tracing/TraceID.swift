/// The id of a trace: 16 bytes, never all zero.
package struct TraceID: Sendable, Hashable {
    package let high: UInt64
    package let low: UInt64

    /// Nil for zero, which stands for no trace.
    package init?(high: UInt64, low: UInt64) {
        guard high | low != 0 else { return nil }
        (self.high, self.low) = (high, low)
    }

    /// From two numbers drawn by the caller. Two zeros, which chance hardly brings, become one.
    package init(chance: (UInt64, UInt64)) {
        (high, low) = (chance.0, chance.0 | chance.1 == 0 ? 1 : chance.1)
    }

    /// 32 hexadecimal digits in lower case.
    package var text: String { high.hexadecimal + low.hexadecimal }

    /// The 56 bits that are random by the flag `random` (W3C Trace Context Level 2 §3.2.2.5): a share of all traces is
    /// drawn by these.
    package var chance: UInt64 { low & (1 << 56 - 1) }
}

/// The id of a span within its trace: 8 bytes, never all zero.
package struct SpanID: Sendable, Hashable {
    package let number: UInt64

    /// Nil for zero, which stands for no span.
    package init?(_ number: UInt64) {
        guard number != 0 else { return nil }
        self.number = number
    }

    /// From a number drawn by the caller. Zero, which chance hardly brings, becomes one.
    package init(chance: UInt64) { number = chance == 0 ? 1 : chance }

    /// 16 hexadecimal digits in lower case.
    package var text: String { number.hexadecimal }
}

extension UInt64 {
    /// 16 digits in lower case.
    fileprivate var hexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
