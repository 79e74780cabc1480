import Crypto

/// The key that identifies this server to push services (RFC 8292 §3). A secret.
package struct VAPIDKey: Sendable {
    /// The uncompressed point in base64url: a page passes it as `applicationServerKey` when it subscribes.
    package let publicKey: String
    private let key: P256.Signing.PrivateKey

    /// Reads an EC key on P-256: PKCS#8 or SEC 1 in PEM, or the bare 32 bytes in base64url that other Web Push tools
    /// make.
    package init(_ text: String) throws(VAPIDKeyError) {
        let words = text.split(whereSeparator: \.isWhitespace)
        if words.count == 1, let bytes = Base64URL.decodeLeniently(words[0]) {
            guard let key = try? P256.Signing.PrivateKey(rawRepresentation: bytes) else { throw .notP256 }
            self.init(key)
            return
        }
        // `openssl ecparam -genkey` writes the curve's parameters in a separate block before the key.
        let begins = ["-----BEGIN PRIVATE KEY-----", "-----BEGIN EC PRIVATE KEY-----"]
        guard let begin = begins.compactMap({ text.firstRange(of: $0)?.lowerBound }).first else { throw .noKey }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: String(text[begin...])) else { throw .notP256 }
        self.init(key)
    }

    private init(_ key: P256.Signing.PrivateKey) {
        self.key = key
        publicKey = Base64URL.encode(key.publicKey.x963Representation)
    }

    /// ES256: 64 bytes, r and s (RFC 7518 §3.4).
    func signature(for input: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: input).rawRepresentation) }
}

extension VAPIDKey: CustomStringConvertible {
    package var description: String { "VAPID key \(publicKey)" }
}
