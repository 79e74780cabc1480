/// Seals and opens session tickets (RFC 5077 §4): a name that is part of the ticket, and two secrets that never leave
/// the server.
struct TLSTicketKey: Sendable {
    static let nameBytes = 16
    static let secretBytes = 32
    static let randomBytes = nameBytes + 2 * secretBytes

    let name: [UInt8]
    let cipherKey: [UInt8]
    let macKey: [UInt8]

    /// - Parameter random: ``randomBytes`` random bytes.
    init(random: [UInt8]) {
        precondition(random.count == Self.randomBytes)
        name = Array(random[..<Self.nameBytes])
        cipherKey = Array(random[Self.nameBytes..<(Self.nameBytes + Self.secretBytes)])
        macKey = Array(random[(Self.nameBytes + Self.secretBytes)...])
    }
}
