import CryptoExtras
import Foundation
import Gateway
import Inbox
import JSON
import JWTKit

/// An issuer's private keys, made once a run.
enum TestKeys {
    static let secret = "a secret of thirty-two bytes or more"
    static let rsa = Result { try Insecure.RSA.PrivateKey(backing: .init(keySize: .bits2048)) }
    static let p256 = ES256PrivateKey()
    static let ed25519 = Result { try EdDSA.PrivateKey() }
}

/// Makes tokens, good and bad.
struct TestIssuer {
    let algorithm: any JWTAlgorithm
    let collection: JWTKeyCollection

    private init(_ collection: JWTKeyCollection) async throws {
        self.collection = collection
        algorithm = try await collection.getKey()
    }

    static func hs256(_ secret: String = TestKeys.secret) async throws -> Self {
        try await Self(JWTKeyCollection().add(hmac: HMACKey(from: secret), digestAlgorithm: .sha256))
    }

    static func make(_ algorithm: SigningAlgorithm) async throws -> Self {
        switch algorithm {
        case .hs256: try await hs256()
        case .rs256: try await Self(JWTKeyCollection().add(rsa: TestKeys.rsa.get(), digestAlgorithm: .sha256))
        case .es256: try await Self(JWTKeyCollection().add(ecdsa: TestKeys.p256))
        case .edDSA: try await Self(JWTKeyCollection().add(eddsa: TestKeys.ed25519.get()))
        }
    }

    /// A token of just these members, whatever they say.
    func token(_ claims: JSONValue, header: JSONObject = [:], algorithm name: JSONValue? = nil) throws -> String {
        var header = header
        header["alg"] = name ?? .string(algorithm.name)
        let signed = "\(Self.base64URL(JSONValue.object(header).encoded)).\(Self.base64URL(claims.encoded))"
        return try "\(signed).\(Self.base64URL(algorithm.sign(Array(signed.utf8))))"
    }

    /// A token whose header and claims are just these texts.
    func token(header: String, claims: String) throws -> String {
        let signed = "\(Self.base64URL(header.utf8)).\(Self.base64URL(claims.utf8))"
        return try "\(signed).\(Self.base64URL(algorithm.sign(Array(signed.utf8))))"
    }

    static func base64URL(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

/// The claims that the library itself writes.
struct TestPayload: JWTPayload {
    var sub: SubjectClaim
    var exp: ExpirationClaim

    func verify(using algorithm: some JWTAlgorithm) async throws {}
}

extension Timestamp {
    static let noon = Timestamp(milliseconds: 1_800_000_000_000)

    /// As a token's claim: whole seconds.
    var numericDate: JSONValue { .int(milliseconds / 1_000) }
}

/// A folder for one test, gone afterwards.
struct TemporaryFolder: ~Copyable {
    let path = NSTemporaryDirectory() + "belfry-" + UUID().uuidString

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }  // what stays behind is the system's to clear

    /// Writes a file and returns its path.
    @discardableResult
    func file(_ name: String, _ text: String) throws -> String {
        let file = "\(path)/\(name)"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return file
    }
}

/// Public keys in the forms in which operators have them.
enum PublicForm {
    static func pem(_ algorithm: SigningAlgorithm) throws -> String {
        switch algorithm {
        case .hs256: TestKeys.secret
        case .rs256: try TestKeys.rsa.get().publicKey.pemRepresentation
        case .es256: TestKeys.p256.publicKey.pemRepresentation
        case .edDSA: try TestKeys.ed25519.get().publicKey.pemRepresentation
        }
    }

    static func webKey(_ algorithm: SigningAlgorithm, identifier: String) throws -> JSONValue {
        var key: JSONObject = ["kid": .string(identifier), "alg": .string(algorithm.rawValue), "use": "sig"]
        switch algorithm {
        case .hs256:
            (key["kty"], key["k"]) = ("oct", .string(TestIssuer.base64URL(TestKeys.secret.utf8)))
        case .rs256:
            let numbers = try TestKeys.rsa.get().publicKey.getKeyPrimitives()
            key["kty"] = "RSA"
            key["n"] = .string(TestIssuer.base64URL(numbers.modulus))
            key["e"] = .string(TestIssuer.base64URL(numbers.publicExponent))
        case .es256:
            let point = TestKeys.p256.publicKey.parameters
            (key["kty"], key["crv"]) = ("EC", "P-256")
            key["x"] = .string(TestIssuer.base64URL(Data(base64Encoded: point?.x ?? "") ?? Data()))
            key["y"] = .string(TestIssuer.base64URL(Data(base64Encoded: point?.y ?? "") ?? Data()))
        case .edDSA:
            (key["kty"], key["crv"]) = ("OKP", "Ed25519")
            key["x"] = .string(TestIssuer.base64URL(try TestKeys.ed25519.get().publicKey.rawRepresentation))
        }
        return .object(key)
    }

    /// The text of a key set's file.
    static func keySet(_ keys: [JSONValue]) -> String {
        String(decoding: JSONValue.object(["keys": .array(keys)]).encoded, as: UTF8.self)
    }
}
