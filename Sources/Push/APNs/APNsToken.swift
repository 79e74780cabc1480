package import Inbox
import JSON

/// The provider token that authorizes requests to APNs: when to make a new one, and from which bytes.
///
/// Apple wants it renewed at least every 60 and at most every 20 minutes, and refuses requests otherwise
/// ("Establishing a token-based connection to APNs"). Signing happens outside, with the key:
///
/// ```swift
/// switch token.next(at: now) {
/// case .use(let bearer): send(bearer)
/// case .sign(let draft): send(token.install(draft, signature: key.signature(for: draft.signingInput)))
/// }
/// ```
package struct APNsToken: Sendable {
    package static let renewalAge = Duration.seconds(50 * 60)
    package static let minimumAge = Duration.seconds(20 * 60)

    /// A token without its signature.
    package struct Draft: Sendable, Hashable {
        package let issuedAt: Timestamp
        /// ASCII of header, dot and claims: the input of ES256.
        package let signingInput: [UInt8]
        fileprivate let isEarly: Bool
    }

    package enum Step: Sendable, Hashable {
        case use(bearer: String)
        case sign(Draft)
    }

    private struct Issued {
        var bearer: String
        var at: Timestamp
        /// The token replaced one that APNs called expired before its time.
        var isEarly: Bool

        func age(at now: Timestamp) -> Duration { now - at }
    }

    private enum State {
        case none
        case valid(Issued)
        case rejected(Issued)
    }

    private let keyID: String
    private let teamID: String
    private var state = State.none

    package init(keyID: String, teamID: String) {
        self.keyID = keyID
        self.teamID = teamID
    }

    /// The step that the next request needs.
    package func next(at now: Timestamp) -> Step {
        switch state {
        case .none:
            return .sign(draft(at: now, isEarly: false))
        case .valid(let issued):
            // A negative age means that the clock was set back: the token's real age is unknown.
            let isFresh = (.zero..<Self.renewalAge).contains(issued.age(at: now))
            return isFresh ? .use(bearer: issued.bearer) : .sign(draft(at: now, isEarly: false))
        case .rejected(let issued):
            return .sign(draft(at: now, isEarly: issued.age(at: now) < Self.minimumAge))
        }
    }

    /// Takes the signature of a draft: 64 bytes, r and s (RFC 7518 §3.4). Returns the token to send.
    package mutating func install(_ draft: Draft, signature: [UInt8]) -> String {
        let bearer = String(decoding: draft.signingInput, as: UTF8.self) + "." + Base64URL.encode(signature)
        state = .valid(Issued(bearer: bearer, at: draft.issuedAt, isEarly: draft.isEarly))
        return bearer
    }

    /// APNs answered `ExpiredProviderToken` to a request that carried `bearer`.
    ///
    /// Late answers to an older token change nothing. A young token is replaced once. If APNs rejects the new one too,
    /// a clock is wrong, and more renewals would only cause `TooManyProviderTokenUpdates`.
    package mutating func expired(_ bearer: String, at now: Timestamp) {
        guard case .valid(let issued) = state, issued.bearer == bearer else { return }
        if !issued.isEarly || issued.age(at: now) >= Self.minimumAge { state = .rejected(issued) }
    }

    private func draft(at now: Timestamp, isEarly: Bool) -> Draft {
        var header = JSONWriter()
        header.object { json in
            json.member("alg", "ES256")
            json.member("kid", keyID)
        }
        var claims = JSONWriter()
        claims.object { json in
            json.member("iss", teamID)
            json.member("iat", now.milliseconds / 1_000)
        }
        let input = Base64URL.encode(header.bytes) + "." + Base64URL.encode(claims.bytes)
        return Draft(issuedAt: now, signingInput: Array(input.utf8), isEarly: isEarly)
    }
}
