package import Inbox
package import JSON

/// The identity of a verified token's bearer.
package struct Credentials: Sendable, Hashable {
    package let user: UserID
    /// The user's hash, computed once for all requests with the token.
    let userHash: Int
    /// The token's `exp`, without leeway; nil for one that never expires.
    package let expiry: Timestamp?
    /// The token's `iat`.
    package let issued: IssueTime
    /// All of the token's claims.
    package let claims: JSONObject
    /// The key that signed it.
    package let signer: TokenSigner

    package init(
        user: UserID, expiry: Timestamp?, issued: IssueTime = .unknown, claims: JSONObject,
        signer: TokenSigner = .unknown
    ) {
        self.user = user
        userHash = user.hashValue
        self.expiry = expiry
        self.issued = issued
        self.claims = claims
        self.signer = signer
    }
}
