/// Names that cannot be guessed and never repeat: 100 random bits in base 32, or fewer if asked for.
package enum RandomName {
    private static let digits: StaticString = "0123456789abcdefghjkmnpqrstvwxyz"
    private static let digitsPerWord = 10

    /// The digit for the lowest five of these bits.
    static func digit(of bits: UInt64) -> UInt8 { digits.utf8Start[Int(bits & 31)] }

    /// The id of a new inbox or feed: as long as a string that needs no memory of its own, since each inbox in memory
    /// has one. It is no secret, and must only differ from the user's earlier ones.
    package static func epoch() -> String { make(prefix: "", length: 15) }

    /// - Parameter length: in digits, without the prefix.
    static func make(prefix: String, length: Int = 20) -> String {
        var name = Array(prefix.utf8)
        var bits: UInt64 = 0
        for index in 0..<length {
            // Each word is a system call: two are mostly enough.
            if index % digitsPerWord == 0 { bits = .random(in: .min ... .max) }
            name.append(digit(of: bits))
            bits >>= 5
        }
        return String(decoding: name, as: UTF8.self)
    }
}
