import Inbox
import JSON

/// What the settings say about an ID token: whether it is meant for this login, and whether its person may come in.
struct SignInRules: Sendable {
    let clientID: String
    let allowClaim: String
    let allowValues: [String]
    let nameClaim: String
    /// How far the provider's clock and this machine's may differ.
    let leeway: Duration

    /// Judges a token whose signature, issuer, audience and expiry are good (OpenID Connect Core 1.0 §3.1.3.7).
    ///
    /// - Parameter nonce: the login's.
    /// - Returns: the person's name for the audit log.
    func name(of claims: JSONObject, nonce: String, at now: Timestamp) throws(SignInProblem) -> String {
        guard claims["nonce"]?.string == nonce else { throw SignInProblem(.tokenRefused, code: "wrong_nonce") }
        try checkParty(claims)
        try checkIssue(claims, at: now)
        let names = [isTrusted(nameClaim, in: claims) ? nameClaim : nil, "sub"].compactMap(\.self)
        let name = names.lazy.compactMap { name in
            ConsoleOperator(name: TokenRules.claim(name, in: claims)?.string, way: .oidc).name
        }.first
        guard let name else { throw SignInProblem(.noName) }
        try checkAllowed(claims, name)
        return name
    }

    /// Items 3 to 5: a token for several needs to say that it was made for this client.
    private func checkParty(_ claims: JSONObject) throws(SignInProblem) {
        let isForSeveral = (claims["aud"]?.array?.count ?? 1) > 1
        let party = claims["azp"]
        guard party.map({ $0.string == clientID }) ?? !isForSeveral else {
            throw SignInProblem(.tokenRefused, code: "wrong_party")
        }
    }

    /// Item 10: the token was made for this login, so not long ago.
    private func checkIssue(_ claims: JSONObject, at now: Timestamp) throws(SignInProblem) {
        guard let issued = try? TokenRules.moment(claims["iat"]) else {
            throw SignInProblem(.tokenRefused, code: "missing_iat")
        }
        guard issued <= now + leeway else { throw SignInProblem(.tokenRefused, code: "token_not_yet_valid") }
        guard issued + SignInMachine.lifetime + leeway >= now else {
            throw SignInProblem(.tokenRefused, code: "token_too_old")
        }
    }

    /// - Parameter name: for the log, where operators look for those whom they have forgotten.
    private func checkAllowed(_ claims: JSONObject, _ name: String) throws(SignInProblem) {
        let claim = TokenRules.claim(allowClaim, in: claims)
        // One text, or a list of them such as groups.
        let values = (claim?.array ?? claim.map { [$0] } ?? []).compactMap(\.string)
        let isEmail = allowClaim == Settings.OIDC.emailClaim
        let isAllowed = values.contains { value in
            // Nobody has two addresses that differ in capitals alone.
            allowValues.contains { $0 == value || isEmail && $0.lowercased() == value.lowercased() }
        }
        guard isAllowed else { throw SignInProblem(.notAllowed, words: name) }
        guard isTrusted(allowClaim, in: claims) else { throw SignInProblem(.emailNotVerified, words: name) }
    }

    /// §5.7: at many providers people may enter any address, which then is not verified.
    private func isTrusted(_ claim: String, in claims: JSONObject) -> Bool {
        // Some providers write the truth as a text.
        claim != Settings.OIDC.emailClaim || claims["email_verified"] == true || claims["email_verified"] == "true"
    }
}
