import WireProtocol

/// The reason to refuse a token. The codes are stable; no message contains a part of the token.
package enum TokenProblem: Error, Sendable, Hashable, CaseIterable {
    case malformed, algorithmNotAllowed, unknownKey, badSignature
    case expired, missingExpiry, notYetValid
    case wrongAudience, wrongIssuer
    case missingUser, invalidUser
    /// A backend has revoked the tokens that the person had.
    case revoked
    /// The token may be good: its issuer's keys are being fetched, or cannot be at the moment.
    case keysPending

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
        case .revoked: .tokenRevoked
        case .keysPending: .keysPending
        }
    }

    package var code: String { liveCode.rawValue }
    package var message: String { liveCode.meaning }

    /// After an expired or revoked token the client may come back at once with a new one, and while keys are missing a
    /// little later with the same. Other problems do not go away.
    var closeCode: LiveCloseCode {
        switch self {
        case .expired, .revoked: .tokenExpired
        case .keysPending: .keysPending
        case .malformed, .algorithmNotAllowed, .unknownKey, .badSignature, .missingExpiry, .notYetValid,
            .wrongAudience, .wrongIssuer, .missingUser, .invalidUser:
            .badToken
        }
    }
}

extension TokenProblem: CustomStringConvertible {
    package var description: String { message }
}
