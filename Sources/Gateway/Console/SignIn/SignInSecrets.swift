import Crypto
import Push

/// What chance gives one login. Nobody can guess any of it.
struct SignInSecrets: Sendable, Equatable {
    static let byteCount = 4 * partBytes
    /// RFC 7636 §7.1 wants 256 bits for the verifier.
    private static let partBytes = 32

    /// Comes back with the provider's answer.
    let state: String
    /// Comes back in the ID token.
    let nonce: String
    /// Proves at the exchange that the code was asked for here (RFC 7636 §4.1).
    let verifier: String
    /// What the browser's cookie has.
    let browser: String

    /// - Parameter bytes: ``byteCount`` random ones.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.byteCount)
        let parts = stride(from: 0, to: bytes.count, by: Self.partBytes).map {
            Base64URL.encode(bytes[$0..<($0 + Self.partBytes)])
        }
        (state, nonce, verifier, browser) = (parts[0], parts[1], parts[2], parts[3])
    }

    /// Of the system's random numbers.
    static func random() -> SignInSecrets { SignInSecrets((0..<byteCount).map { _ in .random(in: 0...255) }) }

    /// What the provider is told of the verifier (RFC 7636 §4.2), by the method S256.
    var challenge: String { Base64URL.encode(SHA256.hash(data: Array(verifier.utf8))) }
}
