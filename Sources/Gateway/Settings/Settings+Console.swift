extension Settings {
    /// Who may use the operators' console. Without any of these, only this machine may.
    package struct Console: Sendable, Equatable {
        static let minimumSecretCharacters = 12

        /// What people give in the browser.
        package var password: Secret?
        /// What programs give as `Authorization: Bearer`.
        package var token: Secret?
        /// A provider that signs people in.
        package var oidc = OIDC()

        package init() {}

        static func isLongEnough(_ secret: Secret) -> Bool { secret.text.count >= minimumSecretCharacters }
    }

    /// A provider that signs operators in (OpenID Connect Core 1.0).
    package struct OIDC: Sendable, Equatable {
        static let path = "console.oidc"
        static let usualScopes = ["openid", "profile", "email"]
        static let emailClaim = "email"

        /// The issuer as its tokens name it, which is a URL.
        package var issuer: String?
        package var clientID: String?
        /// The file with the client's secret; nil for a public client.
        package var clientSecretFile: String?
        /// The callback's URL, as browsers see it.
        package var redirectURI: String?
        package var scopes = usualScopes
        /// Who may come in: those whose claim has one of the values.
        package var allowClaim = emailClaim
        package var allowValues: [String] = []
        /// The claim with the name for the audit log.
        package var nameClaim = emailClaim
        /// What the button calls the provider; nil for the issuer's host.
        package var label: String?
        /// PEM certificates to trust, in place of the system's.
        package var caFile: String?

        package init() {}

        /// Whether any of it is set. The console then is open to nobody who has not logged in, even if a part is missing.
        var isOn: Bool { self != OIDC() }

        /// Whether the URL leads to the callback, and keeps a browser's cookies and the code safe on the way (RFC 9700
        /// §2.6). The whole path has to be the callback's, and the host reached by TLS, or this machine.
        static func isRedirect(_ text: String) -> Bool {
            guard text.hasSuffix(ConsoleSignIn.callbackPath), ProviderURL(text)?.isIssuer == true else { return false }
            return text.dropLast(ConsoleSignIn.callbackPath.count).split(separator: "/").count == 2
        }
    }

    static let consoleFields: [SettingField] = [
        .optional(
            "console.password", \.console.password,
            expecting: "a text of \(Console.minimumSecretCharacters) characters or more", where: Console.isLongEnough),
        .optional(
            "console.token", \.console.token,
            expecting: "a text of \(Console.minimumSecretCharacters) characters or more", where: Console.isLongEnough),
        .optional(
            "\(OIDC.path).issuer", \.console.oidc.issuer, expecting: "\(ProviderURL.expectation), without a query",
            where: { ProviderURL($0)?.isIssuer == true }),
        .optional("\(OIDC.path).clientID", \.console.oidc.clientID, expecting: "the client's id at the issuer") {
            !$0.isEmpty
        },
        .optional("\(OIDC.path).clientSecretFile", \.console.oidc.clientSecretFile, expecting: "a path"),
        .optional(
            "\(OIDC.path).redirectURI", \.console.oidc.redirectURI,
            expecting: "https://HOST\(ConsoleSignIn.callbackPath), or the same with http:// and a loopback host",
            where: OIDC.isRedirect),
        .list("\(OIDC.path).scopes", \.console.oidc.scopes, expecting: "scopes such as openid"),
        .one("\(OIDC.path).allow.claim", \.console.oidc.allowClaim, expecting: "a claim's name") { !$0.isEmpty },
        .list("\(OIDC.path).allow.values", \.console.oidc.allowValues, expecting: "values of that claim"),
        .one("\(OIDC.path).nameClaim", \.console.oidc.nameClaim, expecting: "a claim's name") { !$0.isEmpty },
        .optional("\(OIDC.path).label", \.console.oidc.label, expecting: "a name for the button") { !$0.isEmpty },
        .optional("\(OIDC.path).caFile", \.console.oidc.caFile, expecting: "a path"),
    ]
}
