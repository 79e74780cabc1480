/// The keys that are trusted, found by the name a token gives.
package struct KeySet: Sendable {
    private let named: [String: [VerificationKey]]
    private let all: [VerificationKey]

    package init(_ keys: [VerificationKey]) {
        all = keys
        named = Dictionary(grouping: keys.filter { $0.identifier != nil }, by: { $0.identifier ?? "" })
    }

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
