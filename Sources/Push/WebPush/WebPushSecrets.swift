import Crypto

/// Values that must be new for every message: a salt and a key pair for one use (RFC 8291 §3.1 and §3.4). Secrets.
package struct WebPushSecrets: Sendable {
    let salt: [UInt8]
    let privateKey: P256.KeyAgreement.PrivateKey

    /// Nil unless the salt has 16 bytes and the key is a scalar of P-256, 32 bytes.
    package init?(salt: [UInt8], privateKey: [UInt8]) {
        guard salt.count == 16, let key = try? P256.KeyAgreement.PrivateKey(rawRepresentation: privateKey) else {
            return nil
        }
        self.salt = salt
        self.privateKey = key
    }

    private init(salt: [UInt8]) {
        self.salt = salt
        privateKey = P256.KeyAgreement.PrivateKey()
    }

    /// From the system's source of secure random bytes.
    package static func random() -> WebPushSecrets {
        var source = SystemRandomNumberGenerator()
        return WebPushSecrets(salt: (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }
}

extension WebPushSecrets: CustomStringConvertible {
    package var description: String { "Web Push secrets" }
}
