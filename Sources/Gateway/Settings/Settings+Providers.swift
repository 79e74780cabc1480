import Inbox

extension Settings {
    /// A provider of identities, such as Auth0 or Keycloak, that publishes its keys by URL.
    package struct Provider: Sendable, Equatable {
        /// The algorithms of public keys: a secret is nothing to publish.
        static let possibleAlgorithms: [SigningAlgorithm] = [.rs256, .es256, .edDSA]

        /// The issuer as its tokens name it, which is a URL. Needed.
        package var issuer: String?
        /// Where its keys are; nil to ask the issuer (OpenID Connect Discovery 1.0).
        package var keysURL: String?
        /// The app of its tokens' users; nil for the unnamed one.
        package var app: String?
        /// Needed: a provider makes tokens for others, too.
        package var audience: [String] = []
        /// The claim with the audience.
        package var audienceClaim = TokenRules.usualAudienceClaim
        package var userClaim = "sub"
        package var algorithms = Provider.possibleAlgorithms
        /// How long keys are used before they are fetched again, between these two as the provider's headers say.
        package var minimumAge = Duration.seconds(30)
        package var maximumAge = Duration.seconds(3_600)
        /// PEM certificates to trust, in place of the system's.
        package var caFile: String?
        /// Whether nothing starts before its keys are there.
        package var neededAtStart = false

        package init() {}
    }

    package subscript(provider name: String) -> Provider {
        get { providers[name] ?? Provider() }
        set { providers[name] = newValue }
    }

    /// Where providers' settings are: `auth.providers.auth0.issuer`.
    static let providersPath = "auth.providers"

    static func providerFields(of name: String) -> [SettingField] {
        let path = "\(providersPath).\(name)"
        return [
            .optional(
                "\(path).issuer", \.[provider: name].issuer, expecting: "\(ProviderURL.expectation), without a query",
                where: { ProviderURL($0)?.isIssuer == true }),
            .optional(
                "\(path).keysURL", \.[provider: name].keysURL, expecting: ProviderURL.expectation,
                where: { ProviderURL($0) != nil }),
            .optional("\(path).app", \.[provider: name].app, expecting: "an app's name"),
            .list("\(path).audience", \.[provider: name].audience),
            .one("\(path).audienceClaim", \.[provider: name].audienceClaim, expecting: "a claim's name") {
                !$0.isEmpty
            },
            .one("\(path).userClaim", \.[provider: name].userClaim, expecting: "a claim's name") { !$0.isEmpty },
            .list("\(path).algorithms", \.[provider: name].algorithms),
            .span("\(path).minimumAge", \.[provider: name].minimumAge),
            .span("\(path).maximumAge", \.[provider: name].maximumAge),
            .optional("\(path).caFile", \.[provider: name].caFile, expecting: "a path"),
            .one("\(path).neededAtStart", \.[provider: name].neededAtStart),
        ]
    }

    /// Whether anybody can have a token of the unnamed app.
    var hasUnnamedTokens: Bool {
        isDevelopment || auth.keySource != KeySource() || providers.values.contains { $0.app == nil }
    }

    /// Makes the providers, with the rules for their tokens. Those of an app share its leeway.
    func makeProviders() throws(KeyProblem) -> [IdentityProvider] {
        var made: [IdentityProvider] = []
        for (name, settings) in providers.sorted(by: { $0.key < $1.key }) {
            let app = settings.app.flatMap { AppName($0) }
            let path = "\(Self.providersPath).\(name)"
            // The settings have been checked, unless a program has made them.
            guard let issuer = settings.issuer.flatMap(ProviderURL.init) else {
                throw KeyProblem(source: "\(path).issuer", reason: "expected \(ProviderURL.expectation)")
            }
            var rules = TokenRules(
                app: app ?? .unnamed, algorithms: Set(settings.algorithms), userClaim: settings.userClaim,
                audience: settings.audience, issuer: issuer.text, leeway: self[auth: app].leeway)
            rules.audienceClaim = settings.audienceClaim
            rules.provider = name
            var plan = KeyRefresh.Plan(issuer: issuer, keysURL: settings.keysURL.flatMap(ProviderURL.init))
            (plan.minimumAge, plan.maximumAge) = (settings.minimumAge, settings.maximumAge)
            do {
                made.append(try IdentityProvider(name: name, rules: rules, plan: plan, caFile: settings.caFile))
            } catch {
                throw KeyProblem(source: path, reason: "\(error)")
            }
        }
        return made
    }
}
