import Crypto
import Foundation

/// A secret that signs and verifies with HMAC and SHA-256 (RFC 7518 §3.2).
///
/// The first block of both hashes depends on the secret alone and is computed once: the larger half of the work.
struct SharedSecret: Sendable {
    private let begun: HMAC<SHA256>

    init(_ bytes: [UInt8]) { begun = HMAC(key: SymmetricKey(data: bytes)) }

    func signature(of bytes: UnsafeRawBufferPointer) -> [UInt8] { Array(code(of: bytes)) }

    /// Takes the same time for a wrong signature as for the right one.
    func verifies(_ signature: [UInt8], of bytes: UnsafeRawBufferPointer) -> Bool {
        let code = code(of: bytes)
        guard signature.count == SHA256.Digest.byteCount else { return false }
        return code.withUnsafeBytes { code in
            zip(code, signature).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
        }
    }

    private func code(of bytes: UnsafeRawBufferPointer) -> HMAC<SHA256>.MAC {
        var code = begun
        code.update(data: bytes)
        return code.finalize()
    }
}
