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

    /// One app's keys, and the rules for its tokens.
    package struct App: Sendable {
        package let source: KeySource
        package let rules: TokenRules

        package init(source: KeySource, rules: TokenRules) { (self.source, self.rules) = (source, rules) }
    }

    private struct State {
        var verifiers: TokenVerifiers
        var numbers: KeyNumbers
        var stamps: [[String: FileStamp]]
        /// By the app's place.
        var problems: [Int: KeyProblem] = [:]
    }

    private let apps: [App]
    private let state: Mutex<State>
    /// How often the keys were replaced; written under their lock, together with them.
    private let generation = Atomic(0)
    /// A line for each key that was passed over at the start.
    package let notes: [String]

    /// Loads the keys of all apps.
    package init(_ apps: [App]) async throws(KeyProblem) {
        // Taken before reading: a change in between is then seen at the next look, and at worst loaded twice.
        let stamps = apps.map { $0.source.stamps() }
        var (numbers, verifiers, notes) = (KeyNumbers(), [TokenVerifier](), [String]())
        for app in apps {
            let loaded = try await Self.load(app, &numbers)
            verifiers.append(loaded.verifier)
            notes += loaded.notes
        }
        if let problem = TokenVerifiers.overlap(among: verifiers) { throw problem }
        (self.apps, self.notes) = (apps, notes)
        state = Mutex(State(verifiers: TokenVerifiers(verifiers), numbers: numbers, stamps: stamps))
    }

    /// Loads the keys of the only app.
    package convenience init(source: KeySource, rules: TokenRules) async throws(KeyProblem) {
        try await self.init([App(source: source, rules: rules)])
    }

    private static func load(
        _ app: App, _ numbers: inout KeyNumbers
    ) async throws(KeyProblem) -> (verifier: TokenVerifier, notes: [String]) {
        let loaded = try await KeyLoader.load(app.source, for: app.rules)
        return (TokenVerifier(keys: KeySet(numbers.number(loaded.keys)), rules: app.rules), loaded.notes)
    }

    /// The current keys. From any thread.
    package var keys: TrustedKeys { state.withLock(\.verifiers.keys) }

    /// From any thread; does not wait for a reload.
    package func verify(_ token: BearerToken, at now: Timestamp) -> Result<Credentials, TokenProblem> {
        let verifiers = state.withLock(\.verifiers)  // a signature takes far longer than the lock should
        return verifiers.verify(token, at: now)
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
        let (verifiers, generation) = state.withLock { ($0.verifiers, self.generation.load(ordering: .relaxed)) }
        let result = verifiers.verify(token, at: now)
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
        var (numbers, verifiers, notes) = (before.numbers, before.verifiers.all, [String]())
        var problems = before.problems
        var hasNew = false
        var due = apps.indices.filter { stamps[$0] != before.stamps[$0] || problems[$0] != nil }
        // A second time for those that an app's earlier key kept out.
        for _ in 1...2 {
            for place in due {
                do throws(KeyProblem) {
                    let loaded = try await Self.load(apps[place], &numbers)
                    var others = verifiers
                    others[place] = loaded.verifier
                    if let problem = TokenVerifiers.overlap(among: others) { throw problem }
                    (verifiers, hasNew) = (others, true)
                    problems[place] = nil
                    notes += loaded.notes
                } catch {
                    problems[place] = error
                }
            }
            due = due.filter { problems[$0] != nil }
        }
        state.withLock { state in
            state = State(verifiers: TokenVerifiers(verifiers), numbers: numbers, stamps: stamps, problems: problems)
            if hasNew { generation.add(1, ordering: .releasing) }
        }
        if !hasNew, let problem = told(problems).first { return .kept(because: problem) }
        return .replaced(notes: notes)
    }
}

extension AppName {
    /// The settings of its tokens.
    var settingsPath: String { isUnnamed ? "auth" : "\(Settings.appsPath).\(text)" }
}
