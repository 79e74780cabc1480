import Inbox

/// The verifiers of all apps. A token belongs to the app whose keys and rules take it.
struct TokenVerifiers: Sendable {
    /// No token satisfies two of them.
    let all: [TokenVerifier]

    func verify(_ token: BearerToken, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        Result { () throws(TokenProblem) in
            let token = try EncodedToken(Array(token.text.utf8))
            var problem: TokenProblem?
            for verifier in all {
                do throws(TokenProblem) {
                    return try verifier.credentials(in: token, at: now)
                } catch {
                    // Told is why the app whose key has signed it refuses the token.
                    if problem == nil || !error.isOfOtherKeys { problem = error }
                }
            }
            throw problem ?? .unknownKey
        }
    }

    /// The time from which a token of that expiry is refused in an app; nil for never.
    func end(ofExpiry expiry: Timestamp?, in app: AppName) -> Timestamp? {
        all.first { $0.rules.app == app }?.rules.end(ofExpiry: expiry)
    }

    var keys: TrustedKeys { TrustedKeys(Dictionary(all.map { ($0.rules.app, $0.keys) }) { first, _ in first }) }
}

extension TokenProblem {
    /// Whether it says no more than that another app may have signed the token.
    fileprivate var isOfOtherKeys: Bool {
        switch self {
        case .algorithmNotAllowed, .unknownKey, .badSignature, .wrongAudience, .wrongIssuer: true
        case .malformed, .expired, .missingExpiry, .notYetValid, .missingUser, .invalidUser: false
        }
    }
}
