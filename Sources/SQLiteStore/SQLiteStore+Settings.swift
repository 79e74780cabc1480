import Deliveries
package import Inbox
package import Store

extension SQLiteStore {
    package func settings(
        of user: UserID, completion: @escaping @Sendable (Result<UserSettings, StoreError>) -> Void
    ) {
        read(completion) { [damage] db in try SettingsReader(db, damage).settings(of: user) }
    }

    package func facts(
        of user: UserID, completion: @escaping @Sendable (Result<PersonFacts, StoreError>) -> Void
    ) {
        read(completion) { [damage] db in try SettingsReader(db, damage).facts(of: user) }
    }

    package func change(
        _ change: SettingsChange, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<SettingsOutcome, StoreError>) -> Void
    ) {
        write(completion) { open in .success(try SettingsWriter(open: open, now: now).apply(change, for: user)) }
    }
}
