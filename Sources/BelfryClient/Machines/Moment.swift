import Foundation

/// The inputs of a machine from outside: time and chance.
package struct Moment {
    /// Since 1970, by the wall clock.
    package let milliseconds: Int64
    /// Uniform from 0 to 1.
    package let chance: Double

    package init(milliseconds: Int64, chance: Double) {
        (self.milliseconds, self.chance) = (milliseconds, chance)
    }

    static func date(milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
