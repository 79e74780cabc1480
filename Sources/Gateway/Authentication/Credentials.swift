package import Inbox
package import JSON

/// Who a verified token says its bearer is.
package struct Credentials: Sendable, Hashable {
    package let user: UserID
    /// Of the user, worked out once for all requests with the token.
    let userHash: Int
    /// The token's `exp`, without leeway; nil for one that never expires.
    package let expiry: Timestamp?
    /// All of the token's claims.
    package let claims: JSONObject
    /// Which key vouches for that.
    package let signer: TokenSigner

    package init(user: UserID, expiry: Timestamp?, claims: JSONObject, signer: TokenSigner = .unknown) {
        self.user = user
        userHash = user.hashValue
        self.expiry = expiry
        self.claims = claims
        self.signer = signer
    }
}
