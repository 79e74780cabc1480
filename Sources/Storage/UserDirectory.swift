package import Inbox

/// Who people are and what they have chosen. Calls and completions as in ``Store``.
package protocol UserDirectory: SettingsDirectory {
    /// Keeps what a backend says about a person; an inbox is made for who has none.
    func write(
        _ profile: UserProfile, of user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Nil for somebody of whom nothing was said.
    func profile(of user: UserID, completion: @escaping @Sendable (Result<UserProfile?, StoreError>) -> Void)

    /// The user whose profile has this address, in any letter case; of several, the one whose inbox is the oldest.
    func user(withEmail email: String, completion: @escaping @Sendable (Result<UserID?, StoreError>) -> Void)

    /// Removes everything that is kept about a person, the inbox first: from then on they are unknown, and if they come
    /// back their inbox has another epoch. Tells when all of it is gone. Erasing somebody who is not there does
    /// nothing.
    ///
    /// - Parameter gone: called when the person is unknown, before the rest is removed; on the store's queue.
    func erase(
        _ user: UserID, gone: @escaping @Sendable () -> Void,
        completion: @escaping @Sendable (Result<ErasureReport, StoreError>) -> Void)
}
