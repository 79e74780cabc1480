/// What a descriptor is watched for; nothing, for as long as nobody would do anything about it.
struct Interest: OptionSet, Sendable {
    let rawValue: UInt8
    static let reading = Interest(rawValue: 1)
    static let writing = Interest(rawValue: 2)
}
