extension Settings.Auth {
    package var rules: TokenRules {
        TokenRules(
            algorithms: Set(algorithms), userClaim: userClaim, audience: audience, issuer: issuer, leeway: leeway,
            requireExpiry: requireExpiry)
    }

    package var keySource: KeySource {
        KeySource(secret: secret, secretFile: secretFile, publicKeyFiles: publicKeyFiles, jwksFile: jwksFile)
    }
}

extension Authenticator {
    /// Loads the keys that the settings name; in development also the data folder's own secret, which is created if
    /// missing.
    package convenience init(_ settings: Settings) async throws(KeyProblem) {
        var (source, rules) = (settings.auth.keySource, settings.auth.rules)
        if settings.isDevelopment {
            source.developmentSecret = try DevelopmentSecret.load(in: settings.data)
            rules.algorithms.insert(.hs256)
        }
        try await self.init(source: source, rules: rules)
    }
}
