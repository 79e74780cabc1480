import Foundation
import JWTKit

/// One key that verifies tokens, bound to its one algorithm.
package struct VerificationKey: Sendable {
    /// The key's `kid`; nil without a name, as for a secret or a PEM file.
    package let identifier: String?
    package let algorithm: SigningAlgorithm
    /// SHA-256 of the key, to recognise equal keys.
    let digest: [UInt8]
    /// From ``KeyNumbers``; 0 before it is assigned.
    var number: UInt16 = 0
    private let primitive: Primitive

    private enum Primitive: Sendable {
        /// Most tokens are of this kind, and the library takes ten times as long for them.
        case secret(SharedSecret)
        case library(any JWTAlgorithm)
    }

    /// - Parameter add: puts the key into a new collection, the library's only way to a primitive. The primitive itself
    ///   works without `await`, so that no later step needs it.
    private init(
        _ identifier: String?, _ algorithm: SigningAlgorithm, _ bytes: some Sequence<UInt8>,
        add: (JWTKeyCollection) async throws -> Void
    ) async throws {
        let collection = JWTKeyCollection()
        try await add(collection)
        self.primitive = .library(try await collection.getKey())
        self.identifier = identifier
        self.algorithm = algorithm
        digest = Self.digest(of: bytes)
    }

    private init(_ secret: SharedSecret, _ bytes: [UInt8]) {
        identifier = nil
        digest = Self.digest(of: bytes)
        algorithm = .hs256
        primitive = .secret(secret)
    }

    func verifies(_ signature: [UInt8], of bytes: ArraySlice<UInt8>) -> Bool {
        switch primitive {
        case .secret(let secret): bytes.withUnsafeBytes { secret.verifies(signature, of: $0) }
        // The library throws for a signature of the wrong form, which is not valid either.
        case .library(let key): (try? key.verify(signature, signs: bytes)) ?? false
        }
    }

    /// Only a shared secret can sign; a public key throws.
    func signature(of bytes: [UInt8]) throws -> [UInt8] {
        switch primitive {
        case .secret(let secret): bytes.withUnsafeBytes { secret.signature(of: $0) }
        case .library(let key): try key.sign(bytes)
        }
    }
}

extension VerificationKey {
    /// RFC 7518 §3.2: a key is at least as long as the hash.
    package static let minimumSecretBytes = 32

    /// A secret for HS256, shared with the issuer.
    ///
    /// - Parameter source: the secret's source, named by an error.
    package static func shared(_ secret: Secret, from source: String) throws(KeyProblem) -> VerificationKey {
        let bytes = Array(secret.text.utf8)
        guard bytes.count >= minimumSecretBytes else {
            let reason = "a secret for HS256 needs \(minimumSecretBytes) bytes or more, this one has \(bytes.count)"
            throw KeyProblem(source: source, reason: reason)
        }
        return VerificationKey(SharedSecret(bytes), bytes)
    }

    /// A public key or certificate: one block of a PEM file.
    ///
    /// - Returns: nil if it is neither an RSA key of 2048 bits or more, nor one on P-256, nor an Ed25519 key.
    static func publicKey(pem: String) async -> VerificationKey? {
        let isCertificate = pem.contains("BEGIN CERTIFICATE")
        // A PEM block does not tell its kind: each parser refuses foreign ones, so errors are ignored here.
        if let key = try? isCertificate ? ES256PublicKey(certificate: pem) : ES256PublicKey(pem: pem) {
            return try? await VerificationKey(nil, .es256, key.pemRepresentation.utf8) { await $0.add(ecdsa: key) }
        }
        typealias RSAPublicKey = Insecure.RSA.PublicKey
        if let key = try? isCertificate ? RSAPublicKey(certificatePEM: pem) : RSAPublicKey(pem: pem) {
            return try? await VerificationKey(nil, .rs256, key.derRepresentation) {
                await $0.add(rsa: key, digestAlgorithm: .sha256)
            }
        }
        if !isCertificate, let key = try? EdDSA.PublicKey(pem: pem) {
            return try? await VerificationKey(nil, .edDSA, key.rawRepresentation) { await $0.add(eddsa: key) }
        }
        return nil
    }

    /// The public key in a member of a JSON Web Key set.
    static func publicKey(_ key: JSONWebKey) async throws -> VerificationKey {
        switch key.material {
        case .rsa(let modulus, let exponent):
            let number = try Insecure.RSA.PublicKey(modulus: modulus, exponent: exponent)
            return try await VerificationKey(key.identifier, .rs256, number.derRepresentation) {
                await $0.add(rsa: number, digestAlgorithm: .sha256)
            }
        case .p256(let x, let y):
            let point = try ES256PublicKey(parameters: (x, y))
            return try await VerificationKey(key.identifier, .es256, point.pemRepresentation.utf8) {
                await $0.add(ecdsa: point)
            }
        case .ed25519(let x):
            let point = try EdDSA.PublicKey(x: x, curve: .ed25519)
            return try await VerificationKey(key.identifier, .edDSA, point.rawRepresentation) {
                await $0.add(eddsa: point)
            }
        }
    }
}
