package import Inbox
package import Store

/// Reads people's profiles and settings. Damaged ones count as none, as they do for deliveries.
package protocol UserReads {
    func isKnown(_ user: UserID) throws -> Bool
    func profile(of user: UserID) throws -> UserProfile?
    /// The user whose profile has this address, in any letter case; of several, the one whose inbox is the oldest.
    func user(withEmail email: String, in app: AppName) throws -> UserID?
    func settings(of user: UserID) throws -> UserSettings
    func facts(of user: UserID) throws -> PersonFacts
    /// Everybody's last revocation, in no order. A damaged row is left out.
    func revocations() throws -> [Revocation]
}
