/// The signatures that a token may carry (RFC 7518 §3.1, RFC 8037 §3.1); `none` is not among them.
package enum SigningAlgorithm: String, Sendable, Hashable, CaseIterable {
    case hs256 = "HS256"
    case rs256 = "RS256"
    case es256 = "ES256"
    case edDSA = "EdDSA"
}
