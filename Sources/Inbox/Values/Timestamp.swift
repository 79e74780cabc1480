/// A moment that is stored or sent: milliseconds since 1970-01-01T00:00:00Z.
///
/// Deadlines inside the process are `ContinuousClock.Instant`; the two never mix.
package struct Timestamp: Sendable, Hashable, Comparable {
    package var milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: Self, right: Self) -> Bool { left.milliseconds < right.milliseconds }
    package static func + (left: Self, right: Duration) -> Self {
        .init(milliseconds: left.milliseconds + right.milliseconds)
    }
    package static func - (left: Self, right: Duration) -> Self {
        .init(milliseconds: left.milliseconds - right.milliseconds)
    }
    package static func - (left: Self, right: Self) -> Duration {
        .milliseconds(left.milliseconds - right.milliseconds)
    }
}

extension Duration {
    /// Whole milliseconds, cut toward zero.
    package var milliseconds: Int64 {
        components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000
    }
}
