package import Inbox

/// What people have chosen. Calls and completions as in ``Store``.
package protocol SettingsDirectory: AnyObject, Sendable {
    /// The usual ones for somebody who has chosen nothing, or whom nobody knows.
    func settings(of user: UserID, completion: @escaping @Sendable (Result<UserSettings, StoreError>) -> Void)

    /// Everything that decides what the person gets; the usual for somebody whom nobody knows.
    func facts(of user: UserID, completion: @escaping @Sendable (Result<PersonFacts, StoreError>) -> Void)

    /// Makes a change; what waits for the end of quiet hours or a snooze is set free if they end sooner now.
    func change(
        _ change: SettingsChange, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<SettingsOutcome, StoreError>) -> Void)
}
