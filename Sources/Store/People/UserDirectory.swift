package import Inbox

/// People's profiles and settings. Calls and completions as in ``Store``.
package protocol UserDirectory: SettingsDirectory {
    /// Stores a backend's word about a person, and creates a missing inbox.
    func write(
        _ profile: UserProfile, of user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Whether the user has an inbox. Asking creates none.
    func isKnown(_ user: UserID, completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void)

    /// Nil if no backend has said anything about the person.
    func profile(of user: UserID, completion: @escaping @Sendable (Result<UserProfile?, StoreError>) -> Void)

    /// The user whose profile has this address, in any letter case; of several, the one whose inbox is the oldest.
    func user(
        withEmail email: String, in app: AppName, completion: @escaping @Sendable (Result<UserID?, StoreError>) -> Void)

    /// Notes that a person's tokens no longer count, unless a later revocation is noted. Creates no inbox.
    /// ``Commit/revoked`` tells.
    func revoke(_ revocation: Revocation, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// The last revocation of each person who has one.
    func revocations(completion: @escaping @Sendable (Result<[Revocation], StoreError>) -> Void)

    /// Removes everything stored about a person, the inbox first. From then on they are unknown; if they come back,
    /// their inbox has another epoch. ``Commit/erased`` tells once they are unknown. Completes when everything is gone.
    /// Erasing an unknown person does nothing.
    func erase(
        _ user: UserID,
        completion: @escaping @Sendable (Result<ErasureReport, StoreError>) -> Void)
}
