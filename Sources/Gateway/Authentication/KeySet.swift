/// The keys that are trusted, found by the name a token gives.
package struct KeySet: Sendable {
    private let named: [String: [VerificationKey]]
    private let all: [VerificationKey]

    /// The numbers of keys whose tokens are still believed if they name their key, and if they do not.
    private let trusted: Set<TokenSigner>

    package init(_ keys: [VerificationKey]) {
        all = keys
        let haveNames = keys.contains { $0.identifier != nil }
        trusted = Set(
            keys.filter { $0.number > 0 }.flatMap { key in
                // Once keys have names, one without a name verifies no token that names its key.
                (haveNames && key.identifier == nil ? [false] : [false, true])
                    .map { TokenSigner(key: key.number, namesKey: $0) }
            })
        named = Dictionary(grouping: keys.filter { $0.identifier != nil }, by: { $0.identifier ?? "" })
    }

    /// Whether a token that was verified by an earlier set would be by this one, too; false when unsure, such as for a
    /// key that has got another name.
    package func trusts(_ signer: TokenSigner) -> Bool { trusted.contains(signer) }

    /// The keys that a token may be verified with.
    ///
    /// A token's `kid` is binding as soon as any key has one: an unknown name is refused rather than tried against
    /// other keys. Without a name, every key of the algorithm will do, since all of them are trusted alike.
    func candidates(for identifier: String?, _ algorithm: SigningAlgorithm) throws(TokenProblem) -> [VerificationKey] {
        guard let identifier, !named.isEmpty else {
            let matching = all.filter { $0.algorithm == algorithm }
            guard !matching.isEmpty else { throw .unknownKey }
            return matching
        }
        guard let keys = named[identifier] else { throw .unknownKey }
        // Otherwise a public key could be passed off as an HMAC secret.
        let matching = keys.filter { $0.algorithm == algorithm }
        guard !matching.isEmpty else { throw .algorithmNotAllowed }
        return matching
    }
}
