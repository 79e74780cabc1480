import Inbox
import Store
import Testing

extension RefusingStore {
    func replaceMembers(
        of topic: String, with users: [UserID],
        completion: @escaping @Sendable (Result<TopicOutcome, StoreError>) -> Void
    ) { refuseDirectory() }

    func changeMembers(
        of topic: String, adding newcomers: [UserID], removing leavers: [UserID],
        completion: @escaping @Sendable (Result<TopicOutcome, StoreError>) -> Void
    ) { refuseDirectory() }

    func members(
        of topic: String, after user: UserID?, limit: Int,
        completion: @escaping @Sendable (Result<TopicPage?, StoreError>) -> Void
    ) { refuseDirectory() }

    func topics(of user: UserID, completion: @escaping @Sendable (Result<[String], StoreError>) -> Void) {
        refuseDirectory()
    }

    func isMember(
        _ user: UserID, of topic: String, completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) { refuseDirectory() }

    func write(
        _ profile: UserProfile, of user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) { refuseDirectory() }

    func isKnown(_ user: UserID, completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void) {
        refuseDirectory()
    }

    func revoke(_ revocation: Revocation, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void) {
        refuseDirectory()
    }

    func revocations(completion: @escaping @Sendable (Result<[Revocation], StoreError>) -> Void) { refuseDirectory() }

    func profile(of user: UserID, completion: @escaping @Sendable (Result<UserProfile?, StoreError>) -> Void) {
        refuseDirectory()
    }

    func user(
        withEmail email: String, in app: AppName, completion: @escaping @Sendable (Result<UserID?, StoreError>) -> Void
    ) {
        refuseDirectory()
    }

    func erase(
        _ user: UserID,
        completion: @escaping @Sendable (Result<ErasureReport, StoreError>) -> Void
    ) { refuseDirectory() }

    func openBroadcasts(completion: @escaping @Sendable (Result<[String], StoreError>) -> Void) { refuseDirectory() }

    func deliverPage(
        of event: String, at now: Timestamp, route: @escaping @Sendable (Event) -> Result<RoutedEvent, EventProblem>,
        completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void
    ) { refuseDirectory() }

    func broadcast(of event: String, completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void) {
        refuseDirectory()
    }

    func trimInboxes(
        olderThan limit: Timestamp?, at now: Timestamp,
        completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) { refuseDirectory() }

    func sweepTrail(at now: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) {
        refuseDirectory()
    }

    func finishErasures(completion: @escaping @Sendable (Result<Int, StoreError>) -> Void) { refuseDirectory() }

    private func refuseDirectory(_ caller: String = #function) {
        Issue.record("the store of this test was asked to \(caller)")
    }
}
