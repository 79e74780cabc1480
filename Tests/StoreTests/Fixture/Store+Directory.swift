import Inbox
import SQLiteStore
import Store

/// The store's calls about people, topics and events for many, as tests like them: results are awaited.
extension Store {
    @discardableResult
    func replaceMembers(of topic: String, with users: [UserID]) async throws -> TopicOutcome {
        try await withCheckedThrowingContinuation { waiting in
            replaceMembers(of: topic, with: users) { waiting.resume(with: $0) }
        }
    }

    @discardableResult
    func changeMembers(
        of topic: String, adding newcomers: [UserID] = [], removing leavers: [UserID] = []
    ) async throws -> TopicOutcome {
        try await withCheckedThrowingContinuation { waiting in
            changeMembers(of: topic, adding: newcomers, removing: leavers) { waiting.resume(with: $0) }
        }
    }

    func members(of topic: String, after user: UserID? = nil, limit: Int = 1_000) async throws -> TopicPage? {
        try await withCheckedThrowingContinuation { waiting in
            members(of: topic, after: user, limit: limit) { waiting.resume(with: $0) }
        }
    }

    func topics(of user: UserID) async throws -> [String] {
        try await withCheckedThrowingContinuation { waiting in topics(of: user) { waiting.resume(with: $0) } }
    }

    func isMember(_ user: UserID, of topic: String) async throws -> Bool {
        try await withCheckedThrowingContinuation { waiting in isMember(user, of: topic) { waiting.resume(with: $0) } }
    }

    func write(_ profile: UserProfile, of user: UserID) async throws {
        try await withCheckedThrowingContinuation { waiting in
            write(profile, of: user, at: .at(0)) { waiting.resume(with: $0) }
        }
    }

    func profile(of user: UserID) async throws -> UserProfile? {
        try await withCheckedThrowingContinuation { waiting in profile(of: user) { waiting.resume(with: $0) } }
    }

    func user(withEmail email: String, in app: AppName = .unnamed) async throws -> UserID? {
        try await withCheckedThrowingContinuation { waiting in
            user(withEmail: email, in: app) { waiting.resume(with: $0) }
        }
    }

    func revoke(_ revocation: Revocation) async throws {
        try await withCheckedThrowingContinuation { waiting in revoke(revocation) { waiting.resume(with: $0) } }
    }

    func revocations() async throws -> Set<Revocation> {
        Set(try await withCheckedThrowingContinuation { waiting in revocations { waiting.resume(with: $0) } })
    }

    func isKnown(_ user: UserID) async throws -> Bool {
        try await withCheckedThrowingContinuation { waiting in isKnown(user) { waiting.resume(with: $0) } }
    }

    @discardableResult
    func erase(_ user: UserID) async throws -> ErasureReport {
        try await withCheckedThrowingContinuation { waiting in erase(user) { waiting.resume(with: $0) } }
    }

    @discardableResult
    func finishErasures() async throws -> Int {
        try await withCheckedThrowingContinuation { waiting in finishErasures { waiting.resume(with: $0) } }
    }

    @discardableResult
    func trimInboxes(olderThan limit: Timestamp?) async throws -> Int {
        try await withCheckedThrowingContinuation { waiting in
            trimInboxes(olderThan: limit, at: .at(0)) { waiting.resume(with: $0) }
        }
    }

    func sweepTrail(at now: Timestamp) async throws -> Int {
        try await withCheckedThrowingContinuation { waiting in sweepTrail(at: now) { waiting.resume(with: $0) } }
    }

    func openBroadcasts() async throws -> [String] {
        try await withCheckedThrowingContinuation { waiting in openBroadcasts { waiting.resume(with: $0) } }
    }

    func broadcast(of event: String) async throws -> Broadcast? {
        try await withCheckedThrowingContinuation { waiting in broadcast(of: event) { waiting.resume(with: $0) } }
    }

    /// Delivers one page by a catalog.
    @discardableResult
    func deliverPage(of event: String, by catalog: Catalog, at now: Timestamp = .at(0)) async throws -> Broadcast? {
        let route: @Sendable (Event) -> Result<RoutedEvent, EventProblem> = { event in
            do throws(EventProblem) { return .success(try catalog.route(event)) } catch { return .failure(error) }
        }
        return try await withCheckedThrowingContinuation { waiting in
            deliverPage(of: event, at: now, route: route) { waiting.resume(with: $0) }
        }
    }

    /// Delivers all pages that are left; returns how many there were.
    @discardableResult
    func deliverAll(of event: String, by catalog: Catalog) async throws -> Int {
        for count in 1...1_000 where try await deliverPage(of: event, by: catalog)?.state != .working { return count }
        return 0
    }
}
