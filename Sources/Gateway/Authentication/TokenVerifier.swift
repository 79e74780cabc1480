package import Inbox

/// Verifies tokens with a fixed set of keys and rules; synchronous, from any thread.
package struct TokenVerifier: Sendable {
    let keys: KeySet
    let rules: TokenRules

    package init(keys: KeySet, rules: TokenRules) {
        self.keys = keys
        self.rules = rules
    }

    /// - Parameter token: the compact form, `header.claims.signature` (RFC 7515 §7.1).
    package func verify(_ token: some Sequence<UInt8>, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        Result { () throws(TokenProblem) in try credentials(in: EncodedToken(Array(token)), at: now) }
    }

    package func verify(_ token: BearerToken, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        verify(token.text.utf8, at: now)
    }

    func credentials(in token: EncodedToken, at now: Timestamp) throws(TokenProblem) -> Credentials {
        guard rules.algorithms.contains(token.algorithm) else { throw .algorithmNotAllowed }
        let candidates = try keys.candidates(for: token.keyIdentifier, token.algorithm)
        guard let key = candidates.first(where: { $0.verifies(token.signature, of: token.signedBytes) }) else {
            throw .badSignature
        }
        let signer = TokenSigner(key: key.number, namesKey: token.keyIdentifier != nil)
        return try rules.credentials(from: token.claims(), signedBy: signer, at: now)
    }

    /// Whether another key might verify a token of this algorithm, and none that is known can.
    func lacksKey(of token: EncodedToken) -> Bool {
        guard rules.algorithms.contains(token.algorithm) else { return false }
        do throws(TokenProblem) {
            _ = try keys.candidates(for: token.keyIdentifier, token.algorithm)
            return false
        } catch {
            return error == .unknownKey
        }
    }
}
