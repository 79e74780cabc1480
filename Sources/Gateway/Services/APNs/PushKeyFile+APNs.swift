import JWTKit

extension PushKeyFile {
    /// Reads Apple's `.p8` file.
    static func apns(_ path: String) async throws -> any JWTAlgorithm {
        let text = try read(path, of: "push.apns.keyPath")
        do {
            return try await JWTKeyCollection().add(ecdsa: ES256PrivateKey(pem: text)).getKey()
        } catch {
            throw ServerError("push.apns.keyPath: \(path): expected the .p8 file from Apple: PEM of an EC key on P-256")
        }
    }
}
