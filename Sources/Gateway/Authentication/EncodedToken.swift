import JSON
import Push

/// A token taken apart (RFC 7515 §7.1), nothing of it believed yet.
struct EncodedToken {
    /// No issuer writes longer ones, and all of it would be read before the signature is judged.
    private static let maximumBytes = 16 << 10

    let algorithm: String
    let keyIdentifier: String?
    /// Header and claims as they came: what the signature signs.
    let signedBytes: ArraySlice<UInt8>
    let signature: [UInt8]
    private let encodedClaims: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) throws(TokenProblem) {
        guard bytes.count <= Self.maximumBytes else { throw .malformed }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]) else { throw .malformed }
        let header = try Self.object(parts[0])
        // RFC 7515 §4.1.11: who does not understand a critical extension must refuse, and we know none.
        guard let algorithm = header["alg"]?.string, header["crit"] == nil else { throw .malformed }
        switch header["kid"] {
        case nil, .null: keyIdentifier = nil
        case .string(let identifier): keyIdentifier = identifier
        default: throw .malformed
        }
        self.algorithm = algorithm
        self.signature = signature
        encodedClaims = parts[1]
        signedBytes = bytes[..<parts[1].endIndex]
    }

    /// Reads the claims; to be asked for once the signature is valid.
    func claims() throws(TokenProblem) -> JSONObject { try Self.object(encodedClaims) }

    private static func object(_ part: ArraySlice<UInt8>) throws(TokenProblem) -> JSONObject {
        guard let bytes = Base64URL.decode(part) else { throw .malformed }
        do {
            guard case .object(let object) = try JSONValue(parsing: bytes) else { throw TokenProblem.malformed }
            return object
        } catch {
            throw .malformed  // the parser's reason may quote the token
        }
    }
}
