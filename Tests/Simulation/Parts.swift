import Gateway
import Inbox

/// The settings, keys and catalogs of all runs.
@MainActor
struct Parts {
    /// How many missed changes a client can resume from: few, so that some begin anew.
    static let changeLogLength: Int64 = 60

    let settings: Settings
    let authenticator: Authenticator
    let catalogs: LoadedCatalogs
    private let issuer: TokenIssuer

    init() async throws {
        var settings = Settings()
        settings.compression.isEnabled = false
        settings.shards = 2
        // Little room, so that slow readers get gaps.
        settings.limits.queuedBytes = 2 << 10
        settings.limits.requestsPer10s = 100_000
        settings.limits.requestsPerAddressPer10s = 100_000
        self.settings = settings
        let secret = Secret("a secret of simulated tokens that opens nothing")
        authenticator = try await Authenticator(source: KeySource(secret: secret), rules: TokenRules())
        issuer = try TokenIssuer(secret: secret)
        catalogs = try LoadedCatalogs([LoadedCatalogs.Source(file: "simulated.yaml", text: Self.catalog)])
    }

    func id(of user: String) throws -> UserID {
        guard let id = UserID(known: user) else { throw ServerError("\(user) is no user's name") }
        return id
    }

    func token(of user: String) -> String {
        let start = Timestamp(milliseconds: 1_799_000_000_000)
        guard let token = try? issuer.token(for: id(of: user), at: start, lifetime: .seconds(365 * 86_400)) else {
            preconditionFailure("a token can be made of any name")
        }
        return token
    }

    private static let catalog = """
        catalog: simulated
        actor: [id]
        events:
          said: {data: [text], routes: [{to: people, type: SAID}]}
          rang: {data: [text], routes: [{to: people, type: RANG}]}
        types:
          SAID: {text: "{{text}}", push: {when: fallback, title: Said, body: "{{text}}"}}
          RANG: {text: "{{text}}", push: {when: always, title: Rang, body: "{{text}}"}}
        """
}
