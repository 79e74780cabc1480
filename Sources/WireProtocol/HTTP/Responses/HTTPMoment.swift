/// A second with its `Date` field (RFC 9110 §6.6.1), written once for all answers in it.
package struct HTTPMoment: Sendable, Equatable {
    /// Since 1970, not negative.
    package let seconds: Int64
    package let field: HTTPHeaders.Field

    package init(_ seconds: Int64) {
        self.seconds = seconds
        field = .date(seconds)
    }

    package static func == (one: Self, other: Self) -> Bool { one.seconds == other.seconds }
}
