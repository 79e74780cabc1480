import Inbox

/// The verifiers of all apps and providers. A token belongs to the app whose keys and rules take it.
struct TokenVerifiers: Sendable {
    let all: [TokenVerifier]
    /// Whether two of them have a key in common. A token with several audiences may then satisfy both, and belong to
    /// two people.
    private let shareKeys: Bool
    let keys: TrustedKeys

    init(_ all: [TokenVerifier]) {
        self.all = all
        keys = TrustedKeys(Dictionary(grouping: all, by: \.rules.app).mapValues { $0.map(\.keys) })
        let digests = all.map { Set($0.keys.all.map(\.digest)) }
        shareKeys = digests.reduce(0) { $0 + $1.count } > digests.reduce(into: Set()) { $0.formUnion($1) }.count
    }

    /// Why these would take the same tokens; nil if they do not.
    static func overlap(among all: [TokenVerifier]) -> KeyProblem? {
        var owners: [[UInt8]: [TokenRules]] = [:]
        for verifier in all {
            // The name of a key is not a part of it.
            for digest in Set(verifier.keys.all.map(\.digest)) {
                if let other = owners[digest]?.first(where: {
                    $0.mayMeet(verifier.rules) && $0.mayDiffer(from: verifier.rules)
                }) {
                    return KeyProblem(
                        source: verifier.rules.settingsPath,
                        reason:
                            "has a key of \(other.settingsPath), and no other audience or issuer: tokens would fit both"
                    )
                }
                owners[digest, default: []].append(verifier.rules)
            }
        }
        return nil
    }

    func verify(_ token: BearerToken, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        Result { () throws(TokenProblem) in
            let token = try EncodedToken(Array(token.text.utf8))
            var (found, problem): (Credentials?, TokenProblem?)
            for verifier in all {
                let credentials: Credentials
                do throws(TokenProblem) {
                    credentials = try verifier.credentials(in: token, at: now)
                } catch {
                    // Told is why the app whose key has signed it refuses the token.
                    if (problem?.weight ?? -1) < error.weight { problem = error }
                    continue
                }
                guard shareKeys else { return credentials }
                // A token for several audiences tells no app.
                guard found == nil || found?.user == credentials.user else { throw .wrongAudience }
                found = credentials
            }
            if let found { return found }
            throw problem ?? .unknownKey
        }
    }

    /// The time from which a token of that expiry is refused in an app; nil for never.
    func end(ofExpiry expiry: Timestamp?, in app: AppName) -> Timestamp? {
        all.first { $0.rules.app == app }?.rules.end(ofExpiry: expiry)
    }
}

extension TokenProblem {
    /// How much of the token was right before this was found.
    fileprivate var weight: Int {
        switch self {
        case .malformed, .algorithmNotAllowed, .unknownKey, .badSignature: 0
        case .wrongAudience, .wrongIssuer: 1
        case .expired, .missingExpiry, .notYetValid, .missingUser, .invalidUser, .revoked, .keysPending: 2
        }
    }
}
