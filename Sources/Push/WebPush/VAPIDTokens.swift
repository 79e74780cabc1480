package import Inbox
import JSON

/// The tokens that identify this server, one for each push service (RFC 8292 §2).
package struct VAPIDTokens: Sendable {
    /// Half of the allowed time, because clocks may differ by hours.
    package static let lifetime = Duration.seconds(12 * 3_600)
    package static let renewalAge = lifetime / 2
    /// The most services whose tokens are kept; further tokens are signed each time.
    package static let maximumCount = 256

    private struct Issued {
        var authorization: String
        var at: Timestamp
    }

    private let key: VAPIDKey
    private let subject: String
    private var issued: [String: Issued] = [:]

    /// - Parameter subject: a contact that a push service may ask about this server: a `mailto:` or `https:` URL.
    package init(key: VAPIDKey, subject: String) {
        self.key = key
        self.subject = subject
    }

    /// The value of `Authorization` for a request to `endpoint` (RFC 8292 §3). A secret.
    ///
    /// Kept until its renewal is due, because services remember verified tokens and reply faster.
    /// - Throws: the crypto library's error if it cannot sign.
    package mutating func authorization(for endpoint: WebPushEndpoint, at now: Timestamp) throws -> String {
        let audience = endpoint.origin
        // A negative age means that the clock was set back: the token may expire too far in the future.
        if let known = issued[audience], (.zero..<Self.renewalAge).contains(now - known.at) {
            return known.authorization
        }
        let input = signingInput(audience: audience, at: now)
        let token = input + "." + Base64URL.encode(try key.signature(for: Array(input.utf8)))
        let authorization = "vapid t=\(token),k=\(key.publicKey)"
        if issued[audience] == nil, issued.count >= Self.maximumCount,
            let oldest = issued.min(by: { $0.value.at < $1.value.at })
        {
            issued[oldest.key] = nil
        }
        issued[audience] = Issued(authorization: authorization, at: now)
        return authorization
    }

    private func signingInput(audience: String, at now: Timestamp) -> String {
        var header = JSONWriter()
        header.object { json in
            json.member("typ", "JWT")
            json.member("alg", "ES256")
        }
        var claims = JSONWriter()
        claims.object { json in
            json.member("aud", audience)
            json.member("exp", (now + Self.lifetime).milliseconds / 1_000)
            json.member("sub", subject)
        }
        return Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.bytes)
    }
}
