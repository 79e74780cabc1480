/// The trusted keys, found by the name in a token.
package struct KeySet: Sendable {
    private let named: [String: [VerificationKey]]
    let all: [VerificationKey]

    /// The keys whose tokens are still accepted, separately for tokens that name their key and those that do not.
    private let trusted: Set<TokenSigner>

    package init(_ keys: [VerificationKey]) {
        all = keys
        let haveNames = keys.contains { $0.identifier != nil }
        trusted = Set(
            keys.filter { $0.number > 0 }.flatMap { key in
                // Once any key has a name, a nameless key verifies no token that names its key.
                (haveNames && key.identifier == nil ? [false] : [false, true])
                    .map { TokenSigner(key: key.number, namesKey: $0) }
            })
        named = Dictionary(grouping: keys.filter { $0.identifier != nil }, by: { $0.identifier ?? "" })
    }

    /// Whether this set would verify a token that an earlier set has verified; false when unsure, as for a renamed key.
    package func trusts(_ signer: TokenSigner) -> Bool { trusted.contains(signer) }

    /// The keys that may verify a token.
    ///
    /// A token's `kid` is binding as soon as any key has one: an unknown name is refused, and not tried against other
    /// keys. Without a name, every key of the algorithm will do, since all of them are trusted alike.
    func candidates(for identifier: String?, _ algorithm: SigningAlgorithm) throws(TokenProblem) -> [VerificationKey] {
        guard let identifier, !named.isEmpty else {
            let matching = all.filter { $0.algorithm == algorithm }
            guard !matching.isEmpty else { throw .unknownKey }
            return matching
        }
        guard let keys = named[identifier] else { throw .unknownKey }
        // Otherwise a public key could serve as an HMAC secret.
        let matching = keys.filter { $0.algorithm == algorithm }
        guard !matching.isEmpty else { throw .algorithmNotAllowed }
        return matching
    }
}
