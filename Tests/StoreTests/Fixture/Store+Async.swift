import Inbox
import Push
import SQLiteStore
import Store

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
        return try await append([item], to: feed, at: .at(0))[0].position
    }

    @discardableResult
    func append(
        _ items: [FeedItem], to feed: String, length: Int = FeedRule.defaultLength, at now: Timestamp
    ) async throws -> [FeedReceipt] {
        let publication = FeedPublication(feed: feed, items: items, length: length, now: now)
        return try await withCheckedThrowingContinuation { waiting in
            append(publication) { waiting.resume(with: $0) }
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
            settle([PushOutcome(job: job, action: action, attempt: attempt ?? job.attempt)], at: now) {
                waiting.resume(with: $0)
            }
        }
    }

    func settle(_ outcomes: PushOutcome..., at now: Timestamp) async throws { try await settle(outcomes, at: now) }

    func settle(_ outcomes: [PushOutcome], at now: Timestamp) async throws {
        try await withCheckedThrowingContinuation { waiting in
            settle(outcomes, at: now) { waiting.resume(with: $0) }
        }
    }

    func note(_ retry: TrailRetry, of job: PushJob, at now: Timestamp) async throws {
        try await withCheckedThrowingContinuation { waiting in
            note(retry, of: job, at: now) { waiting.resume(with: $0) }
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

    func page(_ query: PageQuery, of user: UserID) async throws -> Page {
        try await withCheckedThrowingContinuation { waiting in
            page(query, of: user) { waiting.resume(with: $0) }
        }
    }

    func groups(_ limit: Int = 100, of user: UserID) async throws -> GroupPage {
        try await withCheckedThrowingContinuation { waiting in
            groups(limit, of: user) { waiting.resume(with: $0) }
        }
    }

    func recover(_ user: UserID, from position: InboxPosition?) async throws -> Recovery {
        try await withCheckedThrowingContinuation { waiting in
            recover(user, from: position) { waiting.resume(with: $0) }
        }
    }

    func items(
        of feed: String, _ start: FeedQuery.Start, tags: [String] = [], limit: Int = 100
    ) async throws -> FeedPage {
        let page = try await items(of: feed, FeedQuery(start, tags: tags, limit: limit), with: .open)
        guard let page else { throw StoreError.closed }
        return page
    }

    func items(of feed: String, _ query: FeedQuery, with pass: FeedPass) async throws -> FeedPage? {
        try await withCheckedThrowingContinuation { waiting in
            items(of: feed, query, with: pass) { waiting.resume(with: $0) }
        }
    }

    func mark(of feed: String, by user: UserID, with pass: FeedPass = .open) async throws -> FeedMark? {
        try await withCheckedThrowingContinuation { waiting in
            mark(of: feed, by: user, with: pass) { waiting.resume(with: $0) }
        }
    }

    @discardableResult
    func markViewed(_ feed: String, upTo place: FeedMark.Place, by user: UserID) async throws -> FeedMark {
        try await withCheckedThrowingContinuation { waiting in
            markViewed(feed, upTo: place, by: user) { waiting.resume(with: $0) }
        }
    }

    func summaries(
        of requests: [FeedSummaries.Request], for viewer: FeedViewer
    ) async throws -> FeedSummaries {
        try await withCheckedThrowingContinuation { waiting in
            summaries(of: requests, for: viewer) { waiting.resume(with: $0) }
        }
    }

    func installation(ofDevice id: String, app: String = "", of user: UserID? = nil, in space: AppName = .unnamed)
        async throws -> Installation?
    {
        try await withCheckedThrowingContinuation { waiting in
            installation(ofDevice: id, app: app, of: user, in: space) { waiting.resume(with: $0) }
        }
    }

    func device(
        of provider: Device.Provider, token: String, in space: AppName = .unnamed
    ) async throws -> OwnedDevice? {
        try await withCheckedThrowingContinuation { waiting in
            device(of: provider, token: token, in: space) { waiting.resume(with: $0) }
        }
    }

    func owner(ofDevice id: String, app: String = "") async throws -> UserID? {
        try await installation(ofDevice: id, app: app)?.user
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

extension Store {
    func acknowledge(_ user: UserID, upTo seq: Int64) { acknowledge(user, upTo: seq, at: .at(0)) }
}
