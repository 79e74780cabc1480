/// What a descriptor is ready for.
struct Readiness: OptionSet, Sendable {
    let rawValue: UInt8
    static let readable = Readiness(rawValue: 1)
    static let writable = Readiness(rawValue: 2)
    /// An error or a hang-up: reading or writing will tell which, so it is ready for both.
    static let ended = Readiness(rawValue: 4 | 2 | 1)
    /// The poller may not tell again of what is left: read until nothing is.
    static let unrepeated = Readiness(rawValue: 8)
}
