package import Inbox
package import Store

/// Up to when people's tokens are refused, whether or not they have an inbox.
package protocol RevocationRows: AnyObject {
    /// Notes a revocation, unless a later one is noted.
    func insert(_ revocation: Revocation) throws
    /// Returns whether there was one.
    func remove(_ user: UserID) throws -> Bool
}
