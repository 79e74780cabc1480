package import Inbox
import JSON

/// The access token that authorizes requests to FCM: when to fetch a new one, and the result of the fetch.
///
/// A service account signs a JWT with its key, and gets a token for an hour in return (Google, "Using OAuth 2.0 for
/// Server to Server Applications"; RFC 7523 §2.1). The caller signs and sends:
///
/// ```swift
/// switch token.next(at: now) {
/// case .use(let accessToken): send(accessToken)
/// case .fetch(let draft, let accessToken): fetch(token.request(draft, signature: …)); send or keep the job
/// case .wait: keep the job until the fetch has ended
/// case .unavailable(let until, let cause): settle the job as busy until then, for that cause
/// }
/// ```
///
/// Only one fetch is under way at a time: from `fetch` to ``received(_:at:jitter:)`` or ``failed(_:at:jitter:)``.
package struct GoogleAccessToken: Sendable {
    /// The time before a token's end at which it is renewed, or half its life if that is short. A request under way
    /// must not meet the end, and clocks differ.
    package static let renewalMargin = Duration.seconds(300)
    /// A token that replaced a rejected one is not replaced within this time: its age cannot be the cause.
    package static let minimumAge = Duration.seconds(600)

    /// A JWT without its signature (RFC 7519).
    package struct Draft: Sendable, Hashable {
        /// ASCII of header, dot and claims: the input of RS256.
        package let signingInput: [UInt8]
    }

    package enum Step: Sendable, Hashable {
        case use(String)
        /// The caller fetches now. Until the end of the fetch the old token is used, if there is one.
        case fetch(Draft, meanwhile: String?)
        /// A fetch is under way.
        case wait
        /// The last fetch failed; the next one is due at `until`.
        case unavailable(until: Timestamp, cause: NoAnswer)
    }

    private struct Issued {
        var accessToken: String
        var at: Timestamp
        var lifetime: Duration
        /// The token replaced one that FCM refused.
        var isReplacement: Bool
        /// FCM refuses the token.
        var isRejected = false

        func isGood(at now: Timestamp) -> Bool { !isRejected && at <= now && now < at + lifetime }
        func isFresh(at now: Timestamp) -> Bool {
            isGood(at: now) && now < at + max(lifetime - GoogleAccessToken.renewalMargin, lifetime / 2)
        }
    }

    private struct Failure {
        var error: GoogleAccessTokenError
        var retryAt: Timestamp
    }

    private let account: ServiceAccount
    /// The current token; kept until its end, even if fetches fail.
    private var issued: Issued?
    private var isFetching = false
    private var failure: Failure?
    /// The number of failures in a row.
    private var failures = 0

    package init(account: ServiceAccount) { self.account = account }

    /// The step that the next request needs.
    package mutating func next(at now: Timestamp) -> Step {
        if let issued, issued.isFresh(at: now) { return .use(issued.accessToken) }
        let rest = issued.flatMap { $0.isGood(at: now) ? $0.accessToken : nil }
        if isFetching { return rest.map { .use($0) } ?? .wait }
        if let failure, now < failure.retryAt {
            return rest.map { .use($0) } ?? .unavailable(until: failure.retryAt, cause: failure.error.noAnswer)
        }
        isFetching = true
        return .fetch(draft(at: now), meanwhile: rest)
    }

    /// Takes the reply to ``request(_:signature:)``; returns why it has no token, or nil if it has one.
    package mutating func received(
        _ reply: PushReply, at now: Timestamp, jitter: Double
    ) -> GoogleAccessTokenError? {
        switch Grant.reading(reply) {
        case .success(let grant):
            isFetching = false
            issued = Issued(
                accessToken: grant.accessToken, at: now, lifetime: grant.lifetime,
                isReplacement: issued?.isRejected == true)
            failure = nil
            failures = 0
            return nil
        case .failure(let error):
            fail(error, at: now, retryAfter: reply.retryAfter(at: now), jitter: jitter)
            return error
        }
    }

    /// The fetch got no reply, or the JWT could not be signed.
    package mutating func failed(_ error: GoogleAccessTokenError, at now: Timestamp, jitter: Double) {
        fail(error, at: now, retryAfter: nil, jitter: jitter)
    }

    private mutating func fail(
        _ error: GoogleAccessTokenError, at now: Timestamp, retryAfter: Duration?, jitter: Double
    ) {
        isFetching = false
        failures += 1
        let delay = max(retryAfter ?? .zero, Backoff.delay(afterFailures: failures, jitter: jitter))
        failure = Failure(error: error, retryAt: now + delay)
    }

    /// FCM answered 401 to a request that carried `accessToken`.
    ///
    /// Late answers to an older token change nothing. A token is replaced once. If FCM refuses the new one too,
    /// something else is wrong, and more fetches would not help.
    package mutating func rejected(_ accessToken: String, at now: Timestamp) {
        guard let issued, issued.accessToken == accessToken else { return }
        if !issued.isReplacement || now - issued.at >= Self.minimumAge { self.issued?.isRejected = true }
    }
}

extension GoogleAccessToken {
    private static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    /// The longest lifetime that Google accepts.
    private static let assertionLifetime: Int64 = 3_600

    private func draft(at now: Timestamp) -> Draft {
        let seconds = now.milliseconds / 1_000
        var header = JSONWriter()
        header.object { json in
            json.member("alg", "RS256")
            json.member("typ", "JWT")
            if let keyID = account.privateKeyID { json.member("kid", keyID) }
        }
        var claims = JSONWriter()
        claims.object { json in
            json.member("iss", account.clientEmail)
            json.member("scope", Self.scope)
            json.member("aud", account.tokenURI)
            json.member("iat", seconds)
            json.member("exp", seconds + Self.assertionLifetime)
        }
        return Draft(signingInput: Array((Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.bytes)).utf8))
    }

    /// The request with a draft and its signature.
    package func request(_ draft: Draft, signature: [UInt8]) -> PushRequest {
        let assertion = String(decoding: draft.signingInput, as: UTF8.self) + "." + Base64URL.encode(signature)
        let form =
            "grant_type=" + PercentEncoding.encode("urn:ietf:params:oauth:grant-type:jwt-bearer")
            + "&assertion=" + PercentEncoding.encode(assertion)
        return PushRequest(
            method: "POST", url: account.tokenURI, headers: [("content-type", "application/x-www-form-urlencoded")],
            body: Array(form.utf8))
    }
}

/// A token from Google: `{"access_token":"…","expires_in":3599,"token_type":"Bearer"}` (RFC 6749 §5.1).
private struct Grant {
    let accessToken: String
    let lifetime: Duration

    static func reading(_ reply: PushReply) -> Result<Grant, GoogleAccessTokenError> {
        // An unreadable body has neither a token nor a reason, and the status alone is reported.
        let json = try? JSONValue(parsing: reply.body)
        guard reply.status == 200 else {
            return .failure(GoogleAccessTokenError(status: reply.status, error: json?.at(["error"])?.string))
        }
        guard let accessToken = json?.at(["access_token"])?.string, !accessToken.isEmpty,
            // The token becomes a header's value.
            accessToken.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let seconds = json?.at(["expires_in"])?.int, seconds > 0
        else { return .failure(.unreadable) }
        return .success(Grant(accessToken: accessToken, lifetime: .seconds(min(seconds, 86_400))))
    }
}
