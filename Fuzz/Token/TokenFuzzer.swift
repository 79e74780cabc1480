import Crypto
import Dispatch
import Foundation
import Inbox
import JSON
import Push
import Synchronization

@testable import Gateway

/// Tokens and key sets as anybody may send them: accepted is what a plain reading of the rules accepts, and never without
/// a signature of a key that is trusted.
///
/// The first byte chooses: a token as it is, a token that the other bytes make up, or a key set.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzToken(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let (selector, rest) = FuzzInput(start, count).selectorAndRest
    switch selector % 3 {
    case 0: judge(String(decoding: rest, as: UTF8.self))
    case 1:
        var choices = Choices(rest)
        let token = MadeToken(&choices)
        let broken = choices.broken(Array(token.text.utf8))
        guard broken.elementsEqual(token.text.utf8) else {
            judge(String(decoding: broken, as: UTF8.self))
            break
        }
        let outcome = judge(token.text)
        claimEqual(
            try? outcome?.get().user.name, token.acceptedUser, "another verdict than the rules'\n\(token.claims)")
    default: judgeKeySet(rest)
    }
    return 0
}

/// The keys that tokens are verified with, and the rules of two apps.
enum TrustedParties {
    static let now = Timestamp(milliseconds: 1_764_000_000_000)
    static let leeway = Duration.seconds(30)
    static let secret = "a secret of made-up tokens that opens nothing"
    static let signingKey: P256.Signing.PrivateKey = {
        guard let key = try? P256.Signing.PrivateKey(rawRepresentation: [UInt8](repeating: 7, count: 32)) else {
            fatalError("a key that is none")
        }
        return key
    }()
    static let verifiers: TokenVerifiers = {
        let point = [UInt8](signingKey.publicKey.rawRepresentation)
        let member: JSONValue = [
            "kty": "EC", "crv": "P-256", "kid": "p256", "x": .string(Base64URL.encode(point[..<32])),
            "y": .string(Base64URL.encode(point[32...])),
        ]
        guard case .success(let loaded) = loadKeySet([member]), let app = AppName("golf"),
            let shared = try? VerificationKey.shared(Secret(secret), from: "secret")
        else { fatalError("keys that are not read") }
        return TokenVerifiers([
            TokenVerifier(keys: KeySet([shared]), rules: TokenRules(audience: ["belfry"], leeway: leeway)),
            TokenVerifier(keys: KeySet(loaded.keys), rules: TokenRules(app: app, audience: ["golf"], leeway: leeway)),
        ])
    }()

    /// Whether one of the keys has signed these bytes, by the library alone.
    static func haveSigned(_ bytes: [UInt8], _ signature: [UInt8], by algorithm: String?) -> Bool {
        switch algorithm {
        case "HS256":
            return HMAC<SHA256>.isValidAuthenticationCode(
                signature, authenticating: bytes, using: SymmetricKey(data: Array(secret.utf8)))
        case "ES256":
            guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
            return signingKey.publicKey.isValidSignature(signature, for: bytes)
        default: return false
        }
    }
}

@discardableResult
private func judge(_ text: String) -> Result<Credentials, TokenProblem>? {
    guard let token = BearerToken(text) else { return nil }
    let outcome = TrustedParties.verifiers.verify(token, at: TrustedParties.now)
    let carried = "bearer." + Base64URL.encode(Array(text.utf8))
    claimEqual(BearerToken(subprotocols: ["belfry.v1", carried]), token, "a token that changes in a subprotocol")
    guard case .success(let credentials) = outcome else { return outcome }
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
    claimEqual(parts.count, 3, "a token without three parts")
    guard let header = object(parts[0]), let claims = object(parts[1]), let signature = Base64URL.decode(parts[2])
    else {
        fatalError("a token that is accepted and cannot be read")
    }
    claim(
        TrustedParties.haveSigned(parts[0] + [UInt8(ascii: ".")] + parts[1], signature, by: header["alg"]?.string),
        "a token that nobody has signed")
    claim(header["crit"] == nil, "a token with an extension that nobody knows")
    claimEqual(claims, credentials.claims, "claims that were read in another way")
    return outcome
}

private func object(_ encoded: [UInt8]) -> JSONObject? {
    Base64URL.decode(encoded).flatMap { bytes in bytes.withOwnMemory { try? JSONValue(parsing: $0) } }?.object
}

// MARK: Key sets

private func judgeKeySet(_ bytes: [UInt8]) {
    var choices = Choices(bytes)
    let members = (0...choices.number(below: 4)).map { _ in choices.key() }
    switch loadKeySet(members) {
    case .success(let loaded):
        claim(!loaded.keys.isEmpty, "a key set without keys")
        claimEqual(loaded.keys.count + loaded.notes.count, members.count, "a key that nobody tells of")
        judge(loaded.notes.joined())
        let named = KeySet(loaded.keys)
        for key in loaded.keys {
            guard let found = try? named.candidates(for: key.identifier, key.algorithm) else {
                fatalError("a key that is not found by its name")
            }
            claim(found.contains { $0.digest == key.digest }, "a key that is not among those of its name")
            claim(!key.verifies([], of: []) && !key.verifies([1, 2, 3], of: [1]), "a signature that is none")
        }
    case .failure(let problem): judge(problem.description)
    }

    func judge(_ words: String) { claim(!words.contains(Choices.privatePart), "words that tell a private part") }
}

extension Choices {
    /// The private part of made-up keys.
    fileprivate static let privatePart = "cHJpdmF0ZSBwYXJ0"

    /// A member of a key set: mostly a key, with something wrong about it.
    fileprivate mutating func key() -> JSONValue {
        let point = [UInt8](TrustedParties.signingKey.publicKey.rawRepresentation)
        let (x, y) = (Base64URL.encode(point[..<32]), Base64URL.encode(point[32...]))
        let numbers = [x, y, "", "AQAB", "AA", "!", Base64URL.encode([UInt8](repeating: 0xC7, count: 256)), x + "="]
        var key: JSONObject = ["kty": .string(text(["EC", "RSA", "OKP", "oct"]))]
        for name in ["crv", "x", "y", "n", "e", "kid", "alg", "use", "d", "k"] where !isOne(in: 3) {
            switch name {
            case "crv": key[name] = .string(text(["P-256", "Ed25519", "P-384"]))
            case "x": key[name] = .string(text([x] + numbers))
            case "y": key[name] = .string(text([y] + numbers))
            case "n", "e": key[name] = .string(text(numbers))
            case "kid": key[name] = json(members: ["a"], texts: ["p256", "other", ""], depth: 0)
            case "alg": key[name] = .string(text(["ES256", "RS256", "EdDSA", "HS256"]))
            case "use": key[name] = .string(text(["sig", "enc"]))
            default: key[name] = .string(Self.privatePart)
            }
        }
        return .object(key)
    }
}

/// Reads a key set, and waits for it: the library's keys come out of an actor.
private func loadKeySet(_ members: [JSONValue]) -> Result<LoadedKeys, KeyProblem> {
    let (done, outcome) = (DispatchSemaphore(value: 0), KeyOutcome())
    Task.detached {
        do throws(KeyProblem) {
            let loaded = try await KeyLoader.load(members, from: "set", for: TokenRules())
            outcome.value.withLock { $0 = .success(LoadedKeys(keys: loaded.keys, notes: loaded.notes)) }
        } catch {
            outcome.value.withLock { $0 = .failure(error) }
        }
        done.signal()
    }
    done.wait()
    guard let loaded = outcome.value.withLock({ $0 }) else { fatalError("a key set without an outcome") }
    return loaded
}

private struct LoadedKeys: Sendable {
    let keys: [VerificationKey]
    let notes: [String]
}

private final class KeyOutcome: Sendable {
    let value = Mutex<Result<LoadedKeys, KeyProblem>?>(nil)
}
