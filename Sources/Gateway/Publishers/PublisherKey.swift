import Crypto
import Push

/// A secret by which a publisher is known. The settings hold only its hash: a key has 256 random bits, so nobody finds it
/// from that.
package struct PublisherKey: Sendable {
    private static let prefix = "belfry_"
    private static let randomBytes = 32

    package let text: String

    /// A new one.
    package init() {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<Self.randomBytes).map { _ -> UInt8 in random.next() }
        text = Self.prefix + Base64URL.encode(bytes)
    }

    /// SHA-256 of a key, in hexadecimal digits.
    package static func hash(of key: some StringProtocol) -> String {
        SHA256.hash(data: Array(key.utf8)).map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count < 2 ? "0" + digits : digits
        }.joined()
    }

    package static let hashLength = 64

    package static func isHash(_ text: String) -> Bool {
        text.utf8.count == hashLength && text.allSatisfy { $0.isASCII && $0.isHexDigit && !$0.isUppercase }
    }
}
