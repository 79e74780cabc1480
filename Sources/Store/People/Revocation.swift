package import Inbox

/// A backend's word that a person's tokens no longer count.
package struct Revocation: Sendable, Hashable {
    package let user: UserID
    /// Tokens that were issued earlier are refused. A whole second, as in tokens.
    package let issuedBefore: Timestamp

    package init(user: UserID, issuedBefore: Timestamp) { (self.user, self.issuedBefore) = (user, issuedBefore) }
}
