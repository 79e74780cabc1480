/// The events that a descriptor is ready for.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8
    static let readable = Readiness(rawValue: 1)
    static let writable = Readiness(rawValue: 2)
    /// An error or a hang-up: a read or a write tells which, so the descriptor is ready for both.
    static let ended = Readiness(rawValue: 4 | 2 | 1)
    /// The poller may not report the rest again: read until nothing is left.
    static let unrepeated = Readiness(rawValue: 8)
}
