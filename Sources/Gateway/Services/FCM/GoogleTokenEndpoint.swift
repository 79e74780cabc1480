import Crypto
import CryptoExtras
import Foundation
import Inbox
import JSON
import Push
import WireProtocol

/// Stands in for Google's token endpoint: it exchanges an assertion signed by the service account's key for an access
/// token.
///
/// Follows "Using OAuth 2.0 for Server to Server Applications" (Google Identity), RFC 7523 and, for errors, RFC 6749
/// §5.2.
struct GoogleTokenEndpoint: Sendable {
    private static let grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    private static let scopes: Set = [
        "https://www.googleapis.com/auth/firebase.messaging", "https://www.googleapis.com/auth/cloud-platform",
    ]
    /// Google's limit: at most an hour after it was issued.
    private static let maximumLifetime: Int64 = 3_600
    /// How far the sender's clock may be ahead.
    private static let skew: Int64 = 300

    let key: _RSA.Signing.PublicKey
    let keyID: String
    let clientEmail: String
    /// The audience that an assertion must name.
    let audience: String
    let tokens: AccessTokens

    func receive(_ request: SinkRequest, at now: Timestamp) -> PushReply {
        do {
            try check(request, at: now)
        } catch {
            return Self.reply(400, error: error.code, description: error.description)
        }
        var json = JSONWriter()
        json.object { json in
            json.member("access_token", tokens.issue(at: now).text)
            json.member("expires_in", AccessTokens.lifetime.components.seconds)
            json.member("token_type", "Bearer")
        }
        return PushReply(status: 200, headers: Self.headers, body: json.bytes)
    }

    /// A scripted answer in Google's form.
    static func reply(_ answer: SinkFault.Answer) -> PushReply {
        var reply = reply(answer.status, error: answer.reason ?? "internal_failure", description: "as scripted")
        if let delay = answer.retryAfter {
            reply.headers.append(("retry-after", String(delay.components.seconds)))
        }
        return reply
    }

    private static let headers = [(name: "content-type", value: "application/json; charset=utf-8")]

    private static func reply(_ status: Int, error: String, description: String) -> PushReply {
        var json = JSONWriter()
        json.object { json in
            json.member("error", error)
            json.member("error_description", description)
        }
        return PushReply(status: status, headers: headers, body: json.bytes)
    }

    private struct Refusal: Error {
        let code: String
        let description: String
    }

    private func check(_ request: SinkRequest, at now: Timestamp) throws(Refusal) {
        guard request.method == "POST" else { throw Refusal(code: "invalid_request", description: "POST is needed") }
        guard let form = Self.form(request.body) else {
            throw Refusal(code: "invalid_request", description: "the body is not a form")
        }
        guard form["grant_type"] == Self.grant else {
            let found = form["grant_type"] ?? ""
            throw Refusal(code: "unsupported_grant_type", description: "Invalid grant_type: \(found)")
        }
        guard let assertion = form["assertion"] else {
            throw Refusal(code: "invalid_request", description: "Missing required parameter: assertion")
        }
        try check(assertion: assertion, at: now)
    }

    /// A form has the syntax of a query.
    private static func form(_ body: [UInt8]) -> HTTPQuery? {
        guard let text = String(validating: body, as: UTF8.self) else { return nil }
        // The head is thrown away: a body that cannot be read is no form.
        return try? HTTPRequestHead(method: "POST", target: "/?\(text)", headers: [:], minorVersion: 0).query
    }

    private func check(assertion: String, at now: Timestamp) throws(Refusal) {
        // An unreadable token is treated like one with a wrong signature.
        guard let token = try? EncodedToken(Array(assertion.utf8)), token.algorithm == .rs256,
            token.keyIdentifier.map({ $0 == keyID }) ?? true,
            key.isValidSignature(
                _RSA.Signing.RSASignature(rawRepresentation: Data(token.signature)), for: token.signedBytes,
                padding: .insecurePKCS1v1_5),
            let claims = try? token.claims()
        else { throw Refusal(code: "invalid_grant", description: "Invalid JWT Signature.") }
        guard claims["iss"]?.string == clientEmail else {
            throw Refusal(code: "invalid_grant", description: "Invalid issuer: Not a valid email.")
        }
        guard claims["aud"]?.string == audience else {
            throw Refusal(code: "invalid_grant", description: "Invalid JWT: Failed audience check.")
        }
        let scopes = claims["scope"]?.string?.split(separator: " ").map(String.init) ?? []
        guard !Self.scopes.isDisjoint(with: scopes) else {
            throw Refusal(code: "invalid_scope", description: "Invalid OAuth scope or ID token audience provided.")
        }
        let second = now.milliseconds / 1_000
        guard let issued = claims["iat"]?.int, let expiry = claims["exp"]?.int, issued >= 0, expiry > second,
            issued <= second + Self.skew, expiry > issued, expiry - issued <= Self.maximumLifetime
        else {
            throw Refusal(
                code: "invalid_grant",
                description: "Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable "
                    + "timeframe. Check your iat and exp values in the JWT claim.")
        }
    }
}
