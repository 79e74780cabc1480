import Crypto
import Inbox
import JSON

/// A push request's credential, read as a push service does (RFC 8292 §3): `vapid t=<token>,k=<public key>`.
struct VAPIDCredential: Sendable {
    /// Longer ones are refused (RFC 8292 §2).
    private static let maximumLifetime = Duration.seconds(24 * 3_600)

    /// The sender's public key in base64url.
    let publicKey: String
    private let token: Substring

    /// Nil for another form.
    init?(_ header: String) {
        guard header.prefix(6).lowercased() == "vapid " else { return nil }
        var parameters: [Substring: Substring] = [:]
        for part in header.dropFirst(6).split(separator: ",") {
            let trimmed = part.drop { $0 == " " }
            guard let equals = trimmed.firstIndex(of: "=") else { return nil }
            parameters[trimmed[..<equals]] = trimmed[trimmed.index(after: equals)...]
        }
        guard let token = parameters["t"], let publicKey = parameters["k"] else { return nil }
        (self.token, self.publicKey) = (token, String(publicKey))
    }

    /// Checks that the token's own key signed it, that it is for this service, and that its age is right (RFC 8292
    /// §4.2). A token without a subject, or with one that Apple refuses, is invalid.
    func check(audiences: Set<String>, at now: Timestamp) -> CredentialCheck {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
            header.at(["alg"])?.string == "ES256", isSigned(parts)
        else { return .invalid }
        let audience = claims.at(["aud"])
        let named = audience?.string.map { [$0] } ?? audience?.array?.compactMap(\.string) ?? []
        guard !audiences.isDisjoint(with: named), let subject = claims.at(["sub"])?.string,
            VAPIDSubject.isTaken(subject), let expiry = claims.at(["exp"])?.int
        else { return .invalid }
        let seconds = now.milliseconds / 1_000
        guard expiry > seconds else { return .expired }
        return expiry - seconds <= Self.maximumLifetime.components.seconds ? .valid : .invalid
    }

    private func isSigned(_ parts: [Substring]) -> Bool {
        guard let point = Base64URL.decodeLeniently(publicKey), let bytes = Base64URL.decodeLeniently(parts[2]),
            let key = try? P256.Signing.PublicKey(x963Representation: point),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes)
        else { return false }
        return key.isValidSignature(signature, for: Array((parts[0] + "." + parts[1]).utf8))
    }

    private static func json(_ part: Substring) -> JSONValue? {
        // An unreadable part makes the token invalid.
        Base64URL.decodeLeniently(part).flatMap { try? JSONValue(parsing: $0) }
    }
}
