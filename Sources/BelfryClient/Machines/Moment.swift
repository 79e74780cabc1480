import Foundation

/// What a machine is told about the world: the time, and chance.
struct Moment {
    /// Since 1970, by the wall clock.
    let milliseconds: Int64
    /// Uniform from 0 to 1.
    let chance: Double

    /// A time as the server writes it, such as `2025-07-04T19:00:00.000Z`; nil for anything else.
    static func date(_ text: String) -> Date? {
        let whole = Date.ISO8601FormatStyle()
        // Nil, not an error, for what is no time: the caller shows none.
        return (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)) ?? (try? whole.parse(text))
    }

    static func text(_ date: Date) -> String { Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date) }

    static func date(milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
