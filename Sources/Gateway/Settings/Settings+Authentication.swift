package import Inbox

extension Settings.Auth {
    /// - Parameter app: whose tokens these are.
    package func rules(in app: AppName = .unnamed) -> TokenRules {
        TokenRules(
            app: app, algorithms: Set(algorithms), userClaim: userClaim, audience: audience, issuer: issuer,
            leeway: leeway,
            requireExpiry: requireExpiry)
    }

    package var keySource: KeySource {
        KeySource(secret: secret, secretFile: secretFile, publicKeyFiles: publicKeyFiles, jwksFile: jwksFile)
    }
}

extension Authenticator {
    /// Loads the keys that the settings name, and makes the providers whose keys are still to be fetched; in development also the data folder's own secret, which is created if
    /// missing.
    package convenience init(_ settings: Settings) async throws(KeyProblem) {
        var apps: [App] = []
        let secret = settings.isDevelopment ? try DevelopmentSecret.load(in: settings.data) : nil
        for app in [.unnamed] + settings.namedApps {
            let auth = settings[auth: app.isUnnamed ? nil : app]
            var (source, rules) = (auth.keySource, auth.rules(in: app))
            // Where other apps have keys, the unnamed one needs none. Nor does an app whose tokens are a provider's.
            let isServed = settings.providers.values.contains { ($0.app ?? "") == app.text }
            if isServed || app.isUnnamed && !settings.authByApp.isEmpty, secret == nil, source == KeySource() {
                continue
            }
            if let secret {
                source.developmentSecret = DevelopmentSecret.secret(of: app, from: secret)
                rules.algorithms.insert(.hs256)
            }
            apps.append(App(source: source, rules: rules))
        }
        try await self.init(apps, providers: settings.makeProviders())
    }
}
