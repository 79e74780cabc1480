/// The events that a descriptor is ready for.
package struct Readiness: OptionSet, Sendable {
    package let rawValue: UInt8
    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// An error or a hang-up: a read or a write tells which, so the descriptor is ready for both.
    package static let ended = Readiness(rawValue: 4 | 2 | 1)
    /// The poller may not report the rest again: read until nothing is left.
    package static let unrepeated = Readiness(rawValue: 8)

    package init(rawValue: UInt8) { self.rawValue = rawValue }
}
