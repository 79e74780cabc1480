import Inbox
import Push
import Storage

/// The store's calls as tests like them: results are awaited.
extension Store {
    func publish(_ publication: Publication) async throws -> [PublishOutcome] {
        try await withCheckedThrowingContinuation { waiting in
            publish(publication) { waiting.resume(with: $0) }
        }
    }

    @discardableResult
    func apply(_ command: InboxCommand, for user: UserID, at now: Timestamp = .at(0)) async throws -> CommandOutcome {
        try await withCheckedThrowingContinuation { waiting in
            apply(command, for: user, at: now) { waiting.resume(with: $0) }
        }
    }

    @discardableResult
    func append(_ json: String, to feed: String) async throws -> FeedPosition {
        let item = FeedItem(feed: feed, json: Array(json.utf8), publishedAt: .at(0))
        return try await withCheckedThrowingContinuation { waiting in
            append(item) { waiting.resume(with: $0) }
        }
    }

    func register(_ device: Device, for user: UserID) async throws {
        try await withCheckedThrowingContinuation { waiting in
            register(device, for: user) { waiting.resume(with: $0) }
        }
    }

    func unregister(_ id: String, app: String = "", of user: UserID) async throws -> Bool {
        try await withCheckedThrowingContinuation { waiting in
            unregister(device: id, app: app, of: user) { waiting.resume(with: $0) }
        }
    }

    func devices(of user: UserID) async throws -> [Device] {
        try await withCheckedThrowingContinuation { waiting in devices(of: user) { waiting.resume(with: $0) } }
    }

    func forgetDevices(lastSeenBefore time: Timestamp) async throws -> Int {
        try await withCheckedThrowingContinuation { waiting in
            forgetDevices(lastSeenBefore: time) { waiting.resume(with: $0) }
        }
    }

    func leasePushJobs(
        _ limit: Int = 100, for provider: Device.Provider = .apns, at now: Timestamp, lease: Duration = .seconds(30)
    ) async throws -> LeasedPushJobs {
        try await withCheckedThrowingContinuation { waiting in
            leasePushJobs(limit, for: provider, at: now, until: now + lease) { waiting.resume(with: $0) }
        }
    }

    func settle(
        _ job: PushJob, as action: PushAction, attempt: PushAttempt? = nil, at now: Timestamp = .at(0)
    ) async throws {
        try await withCheckedThrowingContinuation { waiting in
            settle(job, as: action, attempt: attempt ?? job.attempt, at: now) { waiting.resume(with: $0) }
        }
    }

    func state(of user: UserID) async throws -> InboxState {
        try await withCheckedThrowingContinuation { waiting in state(of: user) { waiting.resume(with: $0) } }
    }

    func page(
        _ start: PageQuery.Start = .offset(0), limit: Int = 1_000, asOf: Int64? = nil, of user: UserID
    ) async throws -> Page {
        try await withCheckedThrowingContinuation { waiting in
            page(PageQuery(start: start, limit: limit, asOf: asOf), of: user) { waiting.resume(with: $0) }
        }
    }

    func recover(_ user: UserID, from position: InboxPosition?) async throws -> Recovery {
        try await withCheckedThrowingContinuation { waiting in
            recover(user, from: position) { waiting.resume(with: $0) }
        }
    }

    func items(of feed: String, after position: FeedPosition?, limit: Int = 100) async throws -> FeedPage {
        try await withCheckedThrowingContinuation { waiting in
            items(of: feed, after: position, limit: limit) { waiting.resume(with: $0) }
        }
    }

    func owner(ofDevice id: String, app: String = "") async throws -> UserID? {
        try await withCheckedThrowingContinuation { waiting in
            owner(ofDevice: id, app: app) { waiting.resume(with: $0) }
        }
    }

    func statistics() async throws -> StoreStatistics {
        try await withCheckedThrowingContinuation { waiting in statistics { waiting.resume(with: $0) } }
    }

    func close() async {
        await withCheckedContinuation { waiting in close { waiting.resume() } }
    }
}

extension Timestamp {
    static func at(_ seconds: Int64) -> Timestamp { Timestamp(milliseconds: 1_000_000_000_000 + seconds * 1_000) }
}

extension Page {
    var texts: [String] { notifications.map(\.content.displayText) }
}

extension Recovery {
    /// The changes; nil for a reset.
    var changes: [InboxChange]? { if case .changes(let changes) = result { changes } else { nil } }
    /// The first page of a reset; nil otherwise.
    var firstPage: [Notification]? { if case .reset(let page) = result { page } else { nil } }
}
