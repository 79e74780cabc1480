import Inbox
import Push
import Storage
import Synchronization
import Testing

/// A store of nothing but push jobs, in memory; tells a test what the dispatcher asks of it.
final class PushJobStore: Store {
    enum Event: Sendable {
        case leased([Int64])
        case settled(Int64, PushAction)
    }

    private struct State {
        var jobs: [Int64: (job: PushJob, availableAt: Timestamp)] = [:]
        var failures = 0
        var answers: [@Sendable () -> Void] = []
        var holdsAnswers = false
    }

    let events: AsyncStream<Event>
    private let report: AsyncStream<Event>.Continuation
    private let state = Mutex(State())
    /// Called as a job is settled, before the dispatcher hears of it.
    private let willSettle: @Sendable (PushAction) -> Void
    private let willFail: @Sendable () -> Void

    init(
        willSettle: @escaping @Sendable (PushAction) -> Void = { _ in },
        willFail: @escaping @Sendable () -> Void = {}
    ) {
        (events, report) = AsyncStream.makeStream()
        self.willSettle = willSettle
        self.willFail = willFail
    }

    /// Puts a job into the queue.
    func add(_ job: PushJob, due: Timestamp) { state.withLock { $0.jobs[job.id] = (job, due) } }

    /// The next so many leases fail.
    func failLeases(_ count: Int) { state.withLock { $0.failures = count } }

    /// Keeps back the answers to leases, whose contents are decided all the same when they are asked for.
    func holdAnswers() { state.withLock { $0.holdsAnswers = true } }

    func releaseAnswers() {
        let answers = state.withLock { state in
            defer { state.answers = [] }
            state.holdsAnswers = false
            return state.answers
        }
        for answer in answers { answer() }
    }

    func leasePushJobs(
        _ limit: Int, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedPushJobs, StoreError>) -> Void
    ) {
        let (result, isHeld) = state.withLock { state in
            let result = Self.lease(limit, at: now, until: leaseEnd, &state)
            if state.holdsAnswers { state.answers.append { completion(result) } }
            return (result, state.holdsAnswers)
        }
        if case .failure = result { willFail() }
        report.yield(.leased((try? result.get().jobs.map(\.id)) ?? []))  // a lease that failed handed out nothing
        if !isHeld { completion(result) }
    }

    private static func lease(
        _ limit: Int, at now: Timestamp, until leaseEnd: Timestamp, _ state: inout State
    ) -> Result<LeasedPushJobs, StoreError> {
        if state.failures > 0 {
            state.failures -= 1
            return .failure(.failed(code: 5, message: "database is locked"))
        }
        let due = state.jobs.values.filter { $0.availableAt <= now }
        let jobs = due.sorted { ($0.availableAt, $0.job.id) < ($1.availableAt, $1.job.id) }.prefix(limit).map(\.job)
        for job in jobs { state.jobs[job.id]?.availableAt = leaseEnd }
        return .success(LeasedPushJobs(jobs: jobs, nextDue: state.jobs.values.map(\.availableAt).min()))
    }

    func settle(
        _ job: PushJob, as action: PushAction, attempt: PushAttempt,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        willSettle(action)
        state.withLock { state in
            switch action {
            case .finish, .forgetDevice, .abandon: state.jobs[job.id] = nil
            case .retry(let due):
                let next = PushJob(
                    id: job.id, user: job.user, notification: job.notification, rev: job.rev, content: job.content,
                    device: job.device, badge: job.badge, attempt: attempt)
                state.jobs[job.id] = (next, due)
            }
        }
        completion(.success(()))
        report.yield(.settled(job.id, action))
    }

    // MARK: What a dispatcher has no business with

    func onCommit(_ listener: @escaping @Sendable (Commit) -> Void) { refuse() }

    func acknowledge(_ user: UserID, upTo seq: Int64) { refuse() }

    func close(completion: @escaping @Sendable () -> Void) { refuse() }

    func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) { refuse() }

    func apply(
        _ command: InboxCommand, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<CommandOutcome, StoreError>) -> Void
    ) { refuse() }

    func append(_ item: FeedItem, completion: @escaping @Sendable (Result<FeedPosition, StoreError>) -> Void) {
        refuse()
    }

    func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) { refuse() }

    func state(of user: UserID, completion: @escaping @Sendable (Result<InboxState, StoreError>) -> Void) { refuse() }

    func page(_ query: PageQuery, of user: UserID, completion: @escaping @Sendable (Result<Page, StoreError>) -> Void) {
        refuse()
    }

    func recover(
        _ user: UserID, from position: InboxPosition?,
        completion: @escaping @Sendable (Result<Recovery, StoreError>) -> Void
    ) { refuse() }

    func items(
        of feed: String, after position: FeedPosition?, limit: Int,
        completion: @escaping @Sendable (Result<FeedPage, StoreError>) -> Void
    ) { refuse() }

    func owner(ofDevice id: String, completion: @escaping @Sendable (Result<UserID?, StoreError>) -> Void) { refuse() }

    var waitingRows: Int { 0 }

    func statistics(completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void) { refuse() }

    private func refuse(_ caller: String = #function) { Issue.record("a push dispatcher called \(caller)") }
}
