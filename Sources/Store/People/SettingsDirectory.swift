package import Inbox

/// People's settings. Calls and completions as in ``Store``.
package protocol SettingsDirectory: AnyObject, Sendable {
    /// The default settings for a person who has chosen nothing, or is unknown.
    func settings(of user: UserID, completion: @escaping @Sendable (Result<UserSettings, StoreError>) -> Void)

    /// Everything that decides what the person gets; defaults for an unknown person.
    func facts(of user: UserID, completion: @escaping @Sendable (Result<PersonFacts, StoreError>) -> Void)

    /// Makes a change. If quiet hours or a snooze now end sooner, the pushes that wait for their end leave sooner.
    func change(
        _ change: SettingsChange, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<SettingsOutcome, StoreError>) -> Void)
}
