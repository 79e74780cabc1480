import Inbox
import Store
import Testing

extension RefusingStore {
    func settings(of user: UserID, completion: @escaping @Sendable (Result<UserSettings, StoreError>) -> Void) {
        Issue.record("nobody asks for settings here")
    }

    func facts(of user: UserID, completion: @escaping @Sendable (Result<PersonFacts, StoreError>) -> Void) {
        Issue.record("nobody asks for facts here")
    }

    func change(
        _ change: SettingsChange, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<SettingsOutcome, StoreError>) -> Void
    ) {
        Issue.record("nobody changes settings here")
    }
}
