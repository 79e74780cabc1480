import Inbox
import Push
import Store
import Testing

extension RefusingStore {
    func leaseActivities(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedActivities, StoreError>) -> Void
    ) { refuseActivities() }

    func settle(
        _ outcomes: [ActivityOutcome], at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) { refuseActivities() }

    func endActivityLeases(
        at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) { refuseActivities() }

    func register(
        activityTypes types: [String: String?], of device: ActivityAddress,
        completion: @escaping @Sendable (Result<ActivityRegistration, StoreError>) -> Void
    ) { refuseActivities() }

    func register(
        activityToken token: String, key: String, of device: ActivityAddress, at now: Timestamp,
        completion: @escaping @Sendable (Result<ActivityRegistration, StoreError>) -> Void
    ) { refuseActivities() }

    func dismissActivity(
        key: String, of device: ActivityAddress, at now: Timestamp,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) { refuseActivities() }

    func activities(
        of user: UserID, completion: @escaping @Sendable (Result<[KnownActivity], StoreError>) -> Void
    ) { refuseActivities() }

    private func refuseActivities(_ caller: String = #function) {
        Issue.record("the store of this test was asked to \(caller)")
    }
}
