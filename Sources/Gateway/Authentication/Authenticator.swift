package import Inbox
import Synchronization

/// Verifies tokens with the keys that hold now; keys may be replaced while it works.
package final class Authenticator: Sendable {
    /// What a look at the key files came to.
    package enum Reload: Sendable, Hashable {
        case unchanged
        /// New keys hold; a line for each key that was passed over.
        case replaced(notes: [String])
        /// The new files are not usable, the old keys still hold. Told once for each state of the files.
        case kept(because: KeyProblem)
    }

    private struct State {
        var verifier: TokenVerifier
        var stamps: [String: FileStamp]
        /// How often keys were replaced.
        var generation = 0
    }

    private let source: KeySource
    private let rules: TokenRules
    private let state: Mutex<State>
    /// A line for each key that was passed over at the start.
    package let notes: [String]

    /// Loads the keys.
    package init(source: KeySource, rules: TokenRules) async throws(KeyProblem) {
        // Taken before reading: a change in between is then seen at the next look, at worst loaded twice.
        let stamps = source.stamps()
        let loaded = try await KeyLoader.load(source, for: rules.algorithms)
        self.source = source
        self.rules = rules
        notes = loaded.notes
        state = Mutex(State(verifier: TokenVerifier(keys: loaded.keys, rules: rules), stamps: stamps))
    }

    /// From any thread; does not block on a reload.
    package func verify(_ token: BearerToken, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        let verifier = state.withLock(\.verifier)  // a signature takes far longer than the lock should
        return verifier.verify(token, at: now)
    }

    /// The credentials of a request's `Authorization`; nil without one.
    ///
    /// - Parameter known: what the same connection brought last. A client sends the same field with each request, and it is
    ///   verified once, unless keys were replaced since then, the token has expired, or the clock was set back.
    package func verify(
        authorization value: String?, knowing known: inout KnownAuthorization?, at now: Timestamp
    ) -> Result<Credentials, TokenProblem>? {
        guard let value else { return nil }
        let (verifier, generation) = state.withLock { ($0.verifier, $0.generation) }
        if let known, known.generation == generation, known.verifiedAt <= now, known.isOf(value),
            !rules.isExpired(known.credentials.expiry, at: now)
        {
            return .success(known.credentials)
        }
        guard let token = BearerToken(authorization: value) else { return .failure(.malformed) }
        let result = verifier.verify(token, at: now)
        known = (try? result.get()).map {
            KnownAuthorization(value: value, credentials: $0, generation: generation, verifiedAt: now)
        }
        return result
    }

    package func verify(_ token: String, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        guard let token = BearerToken(token) else { return .failure(.malformed) }
        return verify(token, at: now)
    }

    /// Loads the keys again if a file has changed. Reads files: for a task of the program, one call at a time.
    package func reloadIfChanged() async -> Reload {
        let stamps = source.stamps()
        guard state.withLock({ $0.stamps != stamps }) else { return .unchanged }
        do {
            let loaded = try await KeyLoader.load(source, for: rules.algorithms)
            let verifier = TokenVerifier(keys: loaded.keys, rules: rules)
            state.withLock { state in
                state = State(verifier: verifier, stamps: stamps, generation: state.generation + 1)
            }
            return .replaced(notes: loaded.notes)
        } catch {
            state.withLock { $0.stamps = stamps }
            return .kept(because: error)
        }
    }
}
