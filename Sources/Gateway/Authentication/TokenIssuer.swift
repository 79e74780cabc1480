package import Inbox
package import JSON
import Push

/// Makes tokens for development and tests, signed with a shared secret (HS256).
package struct TokenIssuer: Sendable {
    private let key: VerificationKey
    private let rules: TokenRules

    /// Makes tokens of an app's people with the development secret.
    package init(developmentIn settings: Settings, app: AppName) throws(KeyProblem) {
        let secret = DevelopmentSecret.secret(of: app, from: try DevelopmentSecret.load(in: settings.data))
        try self.init(secret: secret, rules: settings[auth: app.isUnnamed ? nil : app].rules(in: app))
    }

    /// - Parameter rules: the claims are made to satisfy these.
    package init(secret: Secret, rules: TokenRules = TokenRules()) throws(KeyProblem) {
        key = try .shared(secret, from: "secret")
        self.rules = rules
    }

    /// A token for `user`, valid from `now` on for `lifetime`.
    ///
    /// - Parameter others: claims beside those about identity and validity.
    package func token(
        for user: UserID, at now: Timestamp, lifetime: Duration, claims others: JSONObject = [:]
    ) throws -> String {
        var claims = others
        claims["iat"] = .int(now.milliseconds / 1_000)
        claims["exp"] = .int((now + lifetime).milliseconds / 1_000)
        if let issuer = rules.issuer { claims["iss"] = .string(issuer) }
        if let audience = rules.audience.first { claims["aud"] = .string(audience) }
        claims[rules.userClaim] = .string(user.name)
        let header: JSONValue = ["alg": .string(key.algorithm.rawValue), "typ": "JWT"]
        let signed = [header, .object(claims)].map { Base64URL.encode($0.encoded) }.joined(separator: ".")
        let signature = try key.signature(of: Array(signed.utf8))
        return "\(signed).\(Base64URL.encode(signature))"
    }
}
