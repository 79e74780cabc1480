import WireProtocol

/// The reason to refuse a token. The codes are stable; no message contains a part of the token.
package enum TokenProblem: Error, Sendable, Hashable, CaseIterable {
    case malformed, algorithmNotAllowed, unknownKey, badSignature
    case expired, missingExpiry, notYetValid
    case wrongAudience, wrongIssuer
    case missingUser, invalidUser

    var liveCode: LiveErrorCode {
        switch self {
        case .malformed: .tokenMalformed
        case .algorithmNotAllowed: .algorithmNotAllowed
        case .unknownKey: .unknownKey
        case .badSignature: .badSignature
        case .expired: .tokenExpired
        case .missingExpiry: .missingExpiry
        case .notYetValid: .tokenNotYetValid
        case .wrongAudience: .wrongAudience
        case .wrongIssuer: .wrongIssuer
        case .missingUser: .missingUser
        case .invalidUser: .invalidUser
        }
    }

    package var code: String { liveCode.rawValue }
    package var message: String { liveCode.meaning }

    /// After an expired token the client may come back at once with a new one; other problems do not go away.
    var closeCode: LiveCloseCode { self == .expired ? .tokenExpired : .badToken }
}

extension TokenProblem: CustomStringConvertible {
    package var description: String { message }
}
