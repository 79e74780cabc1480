import Inbox
import JSON
import Push

/// What can be told of an APNs provider token without its key: its form, its algorithm and its age.
enum ProviderTokenCheck {
    /// Older ones are refused (Apple, "Establishing a token-based connection to APNs").
    private static let maximumAge = Duration.seconds(3_600)
    /// What a moment in this calendar's years can be, so that no claim overflows a sum.
    private static let seconds: ClosedRange<Int64> = 0...253_402_300_799

    static func check(_ authorization: String?, at now: Timestamp) -> APNsStandIn.TokenCheck {
        guard let token = authorization.flatMap(BearerToken.init(authorization:)) else { return .invalid }
        let parts = token.text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = object(parts[0]), let claims = object(parts[1]),
            header["alg"]?.string == "ES256", header["kid"]?.string != nil, claims["iss"]?.string != nil,
            let issued = claims["iat"]?.int, seconds.contains(issued), Base64URL.decode(parts[2].utf8)?.count == 64
        else { return .invalid }
        let age = now - Timestamp(milliseconds: issued * 1_000)
        return age > maximumAge ? .expired : .valid
    }

    private static func object(_ part: Substring) -> JSONObject? {
        // What is no JSON is no token.
        Base64URL.decode(part.utf8).flatMap { try? JSONValue(parsing: $0).object }
    }
}
