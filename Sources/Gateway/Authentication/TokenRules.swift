package import Inbox
package import JSON

/// The rules for a token's claims (RFC 7519 §4.1).
package struct TokenRules: Sendable, Hashable {
    /// The app of the tokens' users.
    package var app: AppName
    package var algorithms: Set<SigningAlgorithm>
    /// The claim that names the user; a dotted path where no claim has the whole name.
    package var userClaim: String
    /// The accepted audiences; empty accepts any.
    package var audience: [String]
    /// The accepted issuer; nil accepts any.
    package var issuer: String?
    /// How far the issuer's clock and this machine's may differ.
    package var leeway: Duration
    package var requireExpiry: Bool
    /// The claim that names the audience.
    package var audienceClaim = usualAudienceClaim
    /// The settings' name of the provider whose tokens these are; nil if their keys are in files.
    package var provider: String?
    /// Where these rules are in the settings; nil for the usual place of the provider or the app.
    package var path: String?

    static let usualAudienceClaim = "aud"

    /// Where these rules are in the settings, for messages.
    var settingsPath: String { path ?? provider.map { "\(Settings.providersPath).\($0)" } ?? app.settingsPath }

    package init(
        app: AppName = .unnamed, algorithms: Set<SigningAlgorithm> = Set(SigningAlgorithm.allCases),
        userClaim: String = "sub",
        audience: [String] = [], issuer: String? = nil, leeway: Duration = .seconds(30), requireExpiry: Bool = true
    ) {
        self.app = app
        self.algorithms = algorithms
        self.userClaim = userClaim
        self.audience = audience
        self.issuer = issuer
        self.leeway = leeway
        self.requireExpiry = requireExpiry
    }

    /// Whether these would take another person from a token than the other ones.
    func mayDiffer(from other: TokenRules) -> Bool { app != other.app || userClaim != other.userClaim }

    /// Whether some token could satisfy both, if one key signed it.
    func mayMeet(_ other: TokenRules) -> Bool {
        if let issuer, let others = other.issuer, issuer != others { return false }
        // A token may name one audience in each of two claims.
        return audienceClaim != other.audienceClaim || audience.isEmpty || other.audience.isEmpty
            || !Set(audience).isDisjoint(with: other.audience)
    }

    /// Reads the bearer's identity from the claims of a token whose signature is valid.
    package func credentials(
        from claims: JSONObject, signedBy signer: TokenSigner = .unknown, at now: Timestamp
    ) throws(TokenProblem) -> Credentials {
        let expiry = try Self.moment(claims["exp"])
        guard expiry != nil || !requireExpiry else { throw .missingExpiry }
        if let end = end(ofExpiry: expiry) {
            guard now < end else { throw .expired }
        }
        if let start = try Self.moment(claims["nbf"]) {
            guard now + leeway >= start else { throw .notYetValid }
        }
        guard isForUs(claims[audienceClaim]) else { throw .wrongAudience }
        guard issuer == nil || claims["iss"]?.string == issuer else { throw .wrongIssuer }
        let user = try user(in: claims)
        // One that cannot be read tells as little as none. It decides only about tokens of people with a revocation.
        let issued = try? Self.moment(claims["iat"])
        return Credentials(user: user, expiry: expiry, issued: IssueTime(issued), claims: claims, signer: signer)
    }

    /// The time "on or after" which a token of that expiry must not be accepted (RFC 7519 §4.1.4); nil for never.
    func end(ofExpiry expiry: Timestamp?) -> Timestamp? { expiry.map { $0 + leeway } }

    private func isForUs(_ claim: JSONValue?) -> Bool {
        if audience.isEmpty { return true }
        // RFC 7519 §4.1.3: one string or an array of them.
        let named = claim?.array ?? claim.map { [$0] } ?? []
        return named.contains { $0.string.map(audience.contains) ?? false }
    }

    private func user(in claims: JSONObject) throws(TokenProblem) -> UserID {
        let value = Self.claim(userClaim, in: claims)
        // A whole number of any length is an id; a rounded one would be another user's.
        guard let name = value?.string ?? value?.wholeText else { throw .missingUser }
        if let user = UserID(name, in: app) { return user }
        throw (1...UserID.maximumBytes).contains(name.utf8.count) ? .invalidUser : .missingUser
    }

    /// - Parameter name: a dotted path where no claim has the whole name.
    static func claim(_ name: String, in claims: JSONObject) -> JSONValue? {
        // The whole name first: some issuers use URLs as claim names, which contain dots, too.
        claims[name] ?? JSONValue.object(claims).at(name.split(separator: ".").map(String.init))
    }

    /// The years with four digits; sums with a leeway stay far from overflowing.
    private static let representableSeconds = -62_167_219_200.0...253_402_300_799.0

    /// Reads a `NumericDate` (RFC 7519 §2): seconds since 1970, a fraction allowed. A moment beyond all calendars
    /// counts as the last one that has a date.
    static func moment(_ claim: JSONValue?) throws(TokenProblem) -> Timestamp? {
        let seconds: Double
        switch claim {
        case nil, .null: return nil
        case .int(let value): seconds = Double(value)
        case .double(let value) where value.isFinite: seconds = value
        case .number(let number): seconds = number.double
        case .double, .bool, .string, .array, .object: throw .malformed
        }
        let bounded = min(max(seconds, representableSeconds.lowerBound), representableSeconds.upperBound)
        return Timestamp(milliseconds: Int64(bounded * 1_000))
    }
}
