import JSON
import Push

/// A token's parts (RFC 7515 §7.1), none of them verified yet.
struct EncodedToken {
    /// No issuer writes longer tokens, and the whole token is read before its signature is checked.
    private static let maximumBytes = 16 << 10

    let algorithm: SigningAlgorithm
    let keyIdentifier: String?
    let signature: [UInt8]
    private let bytes: [UInt8]
    /// The ends of the header and of the claims.
    private let dots: (first: Int, last: Int)

    init(_ bytes: [UInt8]) throws(TokenProblem) {
        let dot = UInt8(ascii: ".")
        guard bytes.count <= Self.maximumBytes, let first = bytes.firstIndex(of: dot),
            let last = bytes.lastIndex(of: dot), first < last, !bytes[(first + 1)..<last].contains(dot),
            let signature = Base64URL.decode(bytes[(last + 1)...]), let header = Base64URL.decode(bytes[..<first])
        else { throw .malformed }
        (algorithm, keyIdentifier) = try Self.header(header)
        self.signature = signature
        self.bytes = bytes
        dots = (first, last)
    }

    /// Header and claims as they came: the bytes that the signature covers.
    var signedBytes: ArraySlice<UInt8> { bytes[..<dots.last] }

    /// Reads the claims; to be called once the signature is valid.
    func claims() throws(TokenProblem) -> JSONObject {
        guard let claims = Base64URL.decode(bytes[(dots.first + 1)..<dots.last]) else { throw .malformed }
        do {
            guard case .object(let object) = try JSONValue(parsingUnambiguous: claims) else {
                throw TokenProblem.malformed
            }
            return object
        } catch {
            throw .malformed  // the parser's reason may quote the token
        }
    }

    private static func header(_ bytes: [UInt8]) throws(TokenProblem) -> (SigningAlgorithm, String?) {
        let outcome = bytes.withUnsafeBytes { bytes in
            Result { () throws(TokenProblem) in
                // The parser's message may quote the token.
                guard let header = try? JSONNode(parsing: bytes), header.isObject else { throw .malformed }
                // RFC 7515 §4: readers differ about which of two equal members counts.
                guard header.repeatedPath == nil else { throw .malformed }
                // RFC 7515 §4.1.11: an unknown critical extension must be refused, and we know none.
                guard let name = header["alg"]?.string, header["crit"] == nil else { throw .malformed }
                let identifier = header["kid"]
                guard identifier == nil || identifier?.isNull == true || identifier?.string != nil else {
                    throw .malformed
                }
                guard let algorithm = SigningAlgorithm(rawValue: name) else { throw .algorithmNotAllowed }
                return (algorithm, identifier?.string)
            }
        }
        return try outcome.get()
    }
}
