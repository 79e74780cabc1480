/// Why a token is refused. The codes are stable; nothing of the token is in a message.
package enum TokenProblem: String, Error, Sendable, Hashable, CaseIterable {
    case malformed = "token_malformed"
    case algorithmNotAllowed = "algorithm_not_allowed"
    case unknownKey = "unknown_key"
    case badSignature = "bad_signature"
    case expired = "token_expired"
    case missingExpiry = "missing_expiry"
    case notYetValid = "token_not_yet_valid"
    case wrongAudience = "wrong_audience"
    case wrongIssuer = "wrong_issuer"
    case missingUser = "missing_user"
    case invalidUser = "invalid_user"

    package var code: String { rawValue }

    package var message: String {
        switch self {
        case .malformed: "the token is not a well-formed JSON Web Token"
        case .algorithmNotAllowed: "the token's algorithm is not allowed, or is not that of the key it names"
        case .unknownKey: "no key is known for this token"
        case .badSignature: "the token's signature is not valid"
        case .expired: "the token has expired"
        case .missingExpiry: "the token has no expiry (exp)"
        case .notYetValid: "the token is not valid yet (nbf)"
        case .wrongAudience: "the token is for another audience (aud)"
        case .wrongIssuer: "the token is from another issuer (iss)"
        case .missingUser: "the token names no user"
        case .invalidUser: "the user id in the token has no visible character, or has control or direction characters"
        }
    }
}

extension TokenProblem: CustomStringConvertible {
    package var description: String { message }
}
