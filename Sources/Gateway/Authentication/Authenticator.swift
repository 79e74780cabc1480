package import Inbox
import Synchronization

/// Verifies tokens with the current keys, which may be replaced meanwhile.
package final class Authenticator: Sendable {
    /// The result of a look at the key files.
    package enum Reload: Sendable, Hashable {
        case unchanged
        /// The keys were replaced; a line for each key that was passed over.
        case replaced(notes: [String])
        /// The new files are unusable, and the old keys stay. Told once for each state of the files.
        case kept(because: KeyProblem)
    }

    private struct State {
        var verifier: TokenVerifier
        var numbers: KeyNumbers
        var stamps: [String: FileStamp]
        var problem: KeyProblem?
    }

    private let source: KeySource
    private let rules: TokenRules
    private let state: Mutex<State>
    /// How often the keys were replaced; written under their lock, together with them.
    private let generation = Atomic(0)
    /// A line for each key that was passed over at the start.
    package let notes: [String]

    /// Loads the keys.
    package init(source: KeySource, rules: TokenRules) async throws(KeyProblem) {
        // Taken before reading: a change in between is then seen at the next look, and at worst loaded twice.
        let stamps = source.stamps()
        let loaded = try await KeyLoader.load(source, for: rules.algorithms)
        self.source = source
        self.rules = rules
        notes = loaded.notes
        var numbers = KeyNumbers()
        let keys = KeySet(numbers.number(loaded.keys))
        state = Mutex(State(verifier: TokenVerifier(keys: keys, rules: rules), numbers: numbers, stamps: stamps))
    }

    /// The current keys. From any thread.
    package var keys: KeySet { state.withLock(\.verifier.keys) }

    /// From any thread; does not wait for a reload.
    package func verify(_ token: BearerToken, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        let verifier = state.withLock(\.verifier)  // a signature takes far longer than the lock should
        return verifier.verify(token, at: now)
    }

    /// The credentials of a request's `Authorization`; nil without one.
    package func verify(authorization value: String?, at now: Timestamp) -> Result<Credentials, TokenProblem>? {
        guard let value else { return nil }
        guard let token = BearerToken(authorization: value) else { return .failure(.malformed) }
        return verify(token, at: now)
    }

    /// The same, faster, for clients that come again with the same value. A token is refused from the same moment on as
    /// if it were verified each time: when it expires, and when keys are replaced.
    ///
    /// - Parameter known: the shard's; reading it takes no lock.
    package func verify(
        authorization value: String?, knowing known: inout KnownAuthorizations, at now: Timestamp
    ) -> Result<Credentials, TokenProblem>? {
        guard let value else { return nil }
        if let entry = known.find(value, generation: generation.load(ordering: .acquiring)),
            entry.holds(at: now)
        {
            return .success(entry.credentials)
        }
        guard let token = BearerToken(authorization: value) else { return .failure(.malformed) }
        let (verifier, generation) = state.withLock { ($0.verifier, self.generation.load(ordering: .relaxed)) }
        let result = verifier.verify(token, at: now)
        switch result {
        case .success(let credentials):
            // Otherwise one token, spelled with a thousand variants of spaces, would drive out all others.
            guard value.utf8.count == token.text.utf8.count + 7, value.hasPrefix("Bearer ") else { break }
            let entry = KnownAuthorization(
                value: value, credentials: credentials, verifiedAt: now, end: rules.end(ofExpiry: credentials.expiry))
            known.keep(entry, generation: generation)
        case .failure: known.forget(value)
        }
        return result
    }

    package func verify(_ token: String, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        guard let token = BearerToken(token) else { return .failure(.malformed) }
        return verify(token, at: now)
    }

    /// Why the files as last seen are not in use; nil if they are.
    package var problem: KeyProblem? { state.withLock(\.problem) }

    /// Loads the keys again if a file has changed. Reads files: for a task of the program, one call at a time.
    package func reloadIfChanged() async -> Reload {
        let stamps = source.stamps()
        guard state.withLock({ $0.stamps != stamps }) else { return .unchanged }
        do {
            let loaded = try await KeyLoader.load(source, for: rules.algorithms)
            state.withLock { state in
                let keys = KeySet(state.numbers.number(loaded.keys))
                (state.verifier, state.stamps) = (TokenVerifier(keys: keys, rules: rules), stamps)
                state.problem = nil
                generation.add(1, ordering: .releasing)
            }
            return .replaced(notes: loaded.notes)
        } catch {
            state.withLock { ($0.stamps, $0.problem) = (stamps, error) }
            return .kept(because: error)
        }
    }
}
