import Foundation

/// The inputs of a machine from outside: time and chance.
struct Moment {
    /// Since 1970, by the wall clock.
    let milliseconds: Int64
    /// Uniform from 0 to 1.
    let chance: Double

    static func date(milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
