import Inbox
import JSON
import Logging
import Synchronization

/// The keys of the provider that signs operators in. They are fetched when somebody logs in, and belong to no app: its
/// tokens open no inbox.
final class SignInKeys: Sendable {
    private let provider: IdentityProvider
    private let authenticator: Authenticator
    private let logger: Logger
    /// The fetch under way; nil while there is none.
    private let fetch = Mutex<Task<Void, Never>?>(nil)

    init(issuer: ProviderURL, clientID: String, leeway: Duration, caFile: String?, logger: Logger) async throws {
        var rules = TokenRules(
            algorithms: Set(Settings.Provider.possibleAlgorithms), audience: [clientID], issuer: issuer.text,
            leeway: leeway)
        (rules.provider, rules.path) = (Settings.OIDC.path, Settings.OIDC.path)
        provider = try IdentityProvider(
            name: Settings.OIDC.path, rules: rules, plan: KeyRefresh.Plan(issuer: issuer), caFile: caFile)
        authenticator = try await Authenticator([], providers: [provider])
        self.logger = logger
    }

    /// The claims of an ID token with a good signature, issuer, audience and expiry (OpenID Connect Core 1.0 §3.1.3.7).
    func claims(in token: String, now: () -> Timestamp) async -> Result<JSONObject, TokenProblem> {
        await fetchWhatIsDue()
        var result = authenticator.verify(token, at: now())
        // A key that was just published. The question has made a fetch due, unless there was one lately.
        if case .failure(.keysPending) = result {
            await fetchWhatIsDue()
            result = authenticator.verify(token, at: now())
        }
        return result.map(\.claims)
    }

    /// Whoever comes while another fetches waits for the same.
    private func fetchWhatIsDue() async {
        let task = fetch.withLock { fetch in
            if let fetch { return fetch }
            let task = Task { [self] in
                _ = await provider.work(authenticator, logger)
                self.fetch.withLock { $0 = nil }
            }
            fetch = task
            return task
        }
        await task.value
    }
}
