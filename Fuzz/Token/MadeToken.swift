import Crypto
import Foundation
import Inbox
import JSON
import Push

/// A token that the bytes of an input make up, and what the rules for tokens say about it, read plainly (RFC 7515, RFC
/// 7519 §4.1).
struct MadeToken {
    let text: String
    let claims: JSONObject
    /// The user whom the token stands for; nil if it has to be refused.
    let acceptedUser: String?

    init(_ choices: inout Choices) {
        var header: JSONObject = ["alg": .string(choices.pick(["HS256", "ES256", "RS256", "none", "hs256", "EdDSA"]))]
        let kid = choices.pick([nil, "p256", "other", .null, 7, ""] as [JSONValue?])
        header["kid"] = kid
        header["typ"] = choices.isOne(in: 4) ? nil : "JWT"
        if choices.isOne(in: 8) { header["crit"] = .array(["b64"]) }
        let (claims, isCurrent, audiences, user) = Self.claims(&choices)
        self.claims = claims
        let signed =
            Base64URL.encode(JSONValue.object(header).encoded) + "."
            + Base64URL.encode(JSONValue.object(claims).encoded)
        let signature = Self.signature(of: Array(signed.utf8), by: header["alg"]?.string, &choices)
        text = signed + "." + Base64URL.encode(signature.bytes)

        let isRightName = kid == nil || kid == .null || kid?.string != nil
        guard header["crit"] == nil, isRightName, isCurrent, signature.isRight, let user else {
            acceptedUser = nil
            return
        }
        switch header["alg"]?.string {
        case "HS256": acceptedUser = audiences.contains("belfry") ? user : nil
        case "ES256":
            let isOurs = kid == nil || kid == .null || kid == "p256"
            acceptedUser = isOurs && audiences.contains("golf") ? user : nil
        default: acceptedUser = nil
        }
    }

    /// What a claim says, and the apps that it means.
    private static let audiences: [(JSONValue?, [String])] = [
        ("belfry", ["belfry"]), ("golf", ["golf"]), (["x", "belfry", "golf"], ["belfry", "golf"]), (nil, []),
        ("Belfry", []), ([7, "golf"], ["golf"]), (["belfry": "golf"], []),
    ]
    /// What a claim says, and the user whom it names; nil for none.
    private static let users: [(JSONValue?, String?)] = [
        ("ada", "ada"), (7, "7"), (.double(7.5), nil), ("", nil), ("a\nb", nil),
        (.string(String(repeating: "u", count: 201)), nil),
        (nil, nil), (" ", nil), ("\u{1F}golf\u{1F}ada", nil), (true, nil),
    ]

    /// Claims, whether their times hold, whom they are for, and whom they are about.
    private static func claims(
        _ choices: inout Choices
    ) -> (JSONObject, isCurrent: Bool, audiences: [String], user: String?) {
        let (now, leeway) = (TrustedParties.now.milliseconds / 1_000, Int64(30))
        var claims: JSONObject = [:]
        let end = choices.pick(
            [60, 1, 0, -leeway + 1, -leeway, -leeway - 1, 400_000_000_000, -400_000_000_000] as [Int64])
        claims["exp"] = .int(now + end)
        let start = choices.pick([nil, -60, leeway, leeway + 1, 400_000_000_000] as [Int64?])
        claims["nbf"] = start.map { .int(now + $0) }
        var isCurrent = end > -leeway && start ?? 0 <= leeway
        switch choices.number(below: 12) {
        case 9: (claims["exp"], isCurrent) = (nil, false)
        case 10: (claims["exp"], isCurrent) = ("soon", false)
        case 11: (claims["nbf"], isCurrent) = (true, false)
        default: break
        }
        let (audience, audiences) = choices.pick(audiences)
        claims["aud"] = audience
        let (name, user) = choices.pick(users)
        claims["sub"] = name
        return (claims, isCurrent, audiences, user)
    }

    private static func signature(
        of bytes: [UInt8], by algorithm: String?, _ choices: inout Choices
    ) -> (bytes: [UInt8], isRight: Bool) {
        let key = SymmetricKey(data: Array(TrustedParties.secret.utf8))
        var signature = Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
        if algorithm == "ES256" {
            guard let made = try? TrustedParties.signingKey.signature(for: bytes) else { fatalError("no signature") }
            signature = Array(made.rawRepresentation)
        }
        switch choices.number(below: 6) {
        case 4: signature.removeLast(1 + choices.number(below: signature.count))
        case 5: signature[choices.number(below: signature.count)] ^= 1 << UInt8(choices.number(below: 8))
        default: return (signature, true)
        }
        return (signature, false)
    }
}
