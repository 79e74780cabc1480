package import Inbox
import JSON
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

    /// One app's keys, and the rules for its tokens.
    package struct App: Sendable {
        package let source: KeySource
        package let rules: TokenRules
        /// Fetches the keys, which then are none of `source`.
        fileprivate let provider: IdentityProvider?

        package init(source: KeySource, rules: TokenRules) {
            (self.source, self.rules, provider) = (source, rules, nil)
        }

        fileprivate init(_ provider: IdentityProvider) {
            (source, rules, self.provider) = (KeySource(), provider.rules, provider)
        }
    }

    private struct State {
        var verifiers: TokenVerifiers
        var numbers: KeyNumbers
        var stamps: [[String: FileStamp]]
        /// By the app's place.
        var problems: [Int: KeyProblem] = [:]
    }

    /// Those with files first, then those with providers.
    private let apps: [App]
    /// Their keys are fetched by URL.
    package let providers: [IdentityProvider]
    private let state: Mutex<State>
    /// How often the keys were replaced; written under their lock, together with them.
    private let generation = Atomic(0)
    /// Tokens that are valid by themselves, and refused all the same.
    package let revoked = RevokedTokens()
    /// A line for each key that was passed over at the start.
    package let notes: [String]

    /// Loads the keys of all apps.
    ///
    /// - Parameter providers: have no keys before these are fetched.
    package init(_ apps: [App], providers: [IdentityProvider] = []) async throws(KeyProblem) {
        // Taken before reading: a change in between is then seen at the next look, and at worst loaded twice.
        let stamps = apps.map { $0.source.stamps() }
        var (numbers, verifiers, notes) = (KeyNumbers(), [TokenVerifier](), [String]())
        for (place, app) in apps.enumerated() {
            let loaded = try await KeyLoader.load(app.source, for: app.rules)
            verifiers.append(TokenVerifier(keys: KeySet(numbers.number(loaded.keys, of: place)), rules: app.rules))
            notes += loaded.notes
        }
        if let problem = TokenVerifiers.overlap(among: verifiers) { throw problem }
        verifiers += providers.map { TokenVerifier(keys: KeySet([]), rules: $0.rules) }
        (self.apps, self.providers, self.notes) = (apps + providers.map { App($0) }, providers, notes)
        state = Mutex(
            State(
                verifiers: TokenVerifiers(verifiers), numbers: numbers, stamps: stamps + providers.map { _ in [:] }))
    }

    /// Loads the keys of the only app.
    package convenience init(source: KeySource, rules: TokenRules) async throws(KeyProblem) {
        try await self.init([App(source: source, rules: rules)])
    }

    /// The current keys. From any thread.
    package var keys: TrustedKeys { state.withLock(\.verifiers.keys) }

    /// From any thread; does not wait for a reload.
    package func verify(_ token: BearerToken, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        let verifiers = state.withLock(\.verifiers)  // a signature takes far longer than the lock should
        return verify(token, with: verifiers, at: now)
    }

    private func verify(
        _ token: BearerToken, with verifiers: TokenVerifiers, at now: Timestamp
    ) -> Result<Credentials, TokenProblem> {
        switch verifiers.verify(token, at: now) {
        case .success(let credentials): return revoked.contain(credentials) ? .failure(.revoked) : .success(credentials)
        case .failure(let problem) where providers.isEmpty: return .failure(problem)
        case .failure(let problem): return .failure(lookedUp(token, problem, verifiers, at: now) ?? problem)
        }
    }

    /// What is wrong with a token that names a key which its issuer does not have yet. Nothing in it is verified, so
    /// all that comes of it is a fetch now and then; nil if it is of no provider, or its key is known.
    private func lookedUp(
        _ token: BearerToken, _ problem: TokenProblem, _ verifiers: TokenVerifiers, at now: Timestamp
    ) -> TokenProblem? {
        guard let token = try? EncodedToken(Array(token.text.utf8)), let claims = try? token.claims(),
            let issuer = claims["iss"]?.string
        else { return nil }
        var found: TokenProblem?
        for (app, verifier) in zip(apps, verifiers.all) {
            guard let provider = app.provider, app.rules.issuer == issuer, verifier.lacksKey(of: token) else {
                continue
            }
            do throws(TokenProblem) {
                // A token that will be refused in any case is worth no fetch.
                _ = try app.rules.credentials(from: claims, at: now)
                return provider.mayKnow(token.keyIdentifier) ? .keysPending : .unknownKey
            } catch {
                found = error
            }
        }
        return found
    }

    /// The credentials of a request's `Authorization`; nil without one.
    package func verify(authorization value: String?, at now: Timestamp) -> Result<Credentials, TokenProblem>? {
        guard let value else { return nil }
        guard let token = BearerToken(authorization: value) else { return .failure(.malformed) }
        return verify(token, at: now)
    }

    /// The same, faster, for clients that come again with the same value. A token is refused from the same moment on as
    /// if it were verified each time: when it expires or is revoked, and when keys are replaced.
    ///
    /// - Parameter known: the shard's; reading it takes no lock.
    package func verify(
        authorization value: String?, knowing known: inout KnownAuthorizations, at now: Timestamp
    ) -> Result<Credentials, TokenProblem>? {
        guard let value else { return nil }
        if let entry = known.find(value, generation: generation.load(ordering: .acquiring)),
            entry.holds(at: now), !revoked.contain(entry.credentials)
        {
            return .success(entry.credentials)
        }
        guard let token = BearerToken(authorization: value) else { return .failure(.malformed) }
        let (verifiers, generation) = state.withLock { ($0.verifiers, self.generation.load(ordering: .relaxed)) }
        let result = verify(token, with: verifiers, at: now)
        switch result {
        case .success(let credentials):
            // Otherwise one token, spelled with a thousand variants of spaces, would drive out all others.
            guard value.utf8.count == token.text.utf8.count + 7, value.hasPrefix("Bearer ") else { break }
            let entry = KnownAuthorization(
                value: value, credentials: credentials, verifiedAt: now,
                end: verifiers.end(ofExpiry: credentials.expiry, in: credentials.user.app))
            known.keep(entry, generation: generation)
        case .failure: known.forget(value)
        }
        return result
    }

    package func verify(_ token: String, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        guard let token = BearerToken(token) else { return .failure(.malformed) }
        return verify(token, at: now)
    }

    /// Why the files as last seen are not in use; empty if they are.
    package var problems: [KeyProblem] { told(state.withLock(\.problems)) }

    private func told(_ problems: [Int: KeyProblem]) -> [KeyProblem] {
        problems.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Loads the keys again whose files have changed. An app whose new files are unusable keeps its old keys, and others
    /// get their new ones. Reads files: for a task of the program, one call at a time.
    package func reloadIfChanged() async -> Reload {
        let stamps = apps.map { $0.source.stamps() }
        let before = state.withLock { $0 }
        guard before.stamps != stamps else { return .unchanged }
        let due = apps.indices.filter { stamps[$0] != before.stamps[$0] || before.problems[$0] != nil }
        var (loaded, notes): ([Int: Result<[VerificationKey], KeyProblem>], [String]) = ([:], [])
        for place in due {
            do throws(KeyProblem) {
                let files = try await KeyLoader.load(apps[place].source, for: apps[place].rules)
                loaded[place] = .success(files.keys)
                notes += files.notes
            } catch {
                loaded[place] = .failure(error)
            }
        }
        let hasNew = state.withLock { state in
            state.stamps = stamps
            return replace(loaded, in: &state)
        }
        if !hasNew, let problem = problems.first { return .kept(because: problem) }
        return .replaced(notes: notes)
    }

    /// Takes the keys that a provider publishes now in place of its earlier ones.
    ///
    /// - Parameter set: the members of its key set.
    func install(_ set: [JSONValue], of provider: String) async throws(KeyProblem) -> Reload {
        guard let place = apps.firstIndex(where: { $0.rules.provider == provider }) else { return .unchanged }
        let rules = apps[place].rules
        let loaded = try await KeyLoader.load(set, from: rules.settingsPath, for: rules)
        // Files may have been read meanwhile, so everything is judged under the lock.
        let outcome = state.withLock { state -> Result<Bool, KeyProblem> in
            let before = Set(state.verifiers.all[place].keys.all.map(\.number))
            let keys = state.numbers.number(loaded.keys, of: place)
            // Open sessions are not judged again for nothing.
            if Set(keys.map(\.number)) == before, !before.contains(0) { return .success(false) }
            _ = replace([place: .success(loaded.keys)], in: &state)
            // The provider's machine keeps its own failures.
            return state.problems.removeValue(forKey: place).map(Result.failure) ?? .success(true)
        }
        return try outcome.get() ? .replaced(notes: loaded.notes) : .unchanged
    }

    /// How many keys of a provider are in use. From any thread.
    func keyCount(of provider: String) -> Int {
        state.withLock { $0.verifiers.all.first { $0.rules.provider == provider }?.keys.all.count ?? 0 }
    }

    /// Takes new keys, unless they have a problem or overlap with another app's.
    ///
    /// - Parameter loaded: by the app's place.
    /// - Returns: whether any were taken.
    private func replace(_ loaded: [Int: Result<[VerificationKey], KeyProblem>], in state: inout State) -> Bool {
        var verifiers = state.verifiers.all
        var hasNew = false
        var due = loaded.sorted { $0.key < $1.key }
        // A second time for those that an app's earlier key kept out.
        for _ in 1...2 {
            for (place, keys) in due {
                do throws(KeyProblem) {
                    var others = verifiers
                    others[place] = TokenVerifier(
                        keys: KeySet(state.numbers.number(try keys.get(), of: place)), rules: apps[place].rules)
                    if let problem = TokenVerifiers.overlap(among: others) { throw problem }
                    (verifiers, hasNew) = (others, true)
                    state.problems[place] = nil
                } catch {
                    state.problems[place] = error
                }
            }
            due = due.filter { state.problems[$0.key] != nil }
        }
        if hasNew {
            state.verifiers = TokenVerifiers(verifiers)
            generation.add(1, ordering: .releasing)
        }
        return hasNew
    }
}

extension AppName {
    /// The settings of its tokens.
    var settingsPath: String { isUnnamed ? "auth" : "\(Settings.appsPath).\(text)" }
}
