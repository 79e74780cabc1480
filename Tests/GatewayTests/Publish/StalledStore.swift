import Inbox
import Push
import Storage
import Synchronization
import Testing

/// A store that takes publishes in and answers none before it is let.
final class StalledStore: Store {
    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var isStalled = true
        var mostWaiting = 0
    }

    private let state = Mutex(State())
    /// How many publishes wait, each time one more does.
    let counts: AsyncStream<Int>
    private let report: AsyncStream<Int>.Continuation

    init() { (counts, report) = AsyncStream.makeStream() }

    var mostWaiting: Int { state.withLock(\.mostWaiting) }

    func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) {
        let outcomes = publication.entries.map {
            PublishOutcome(event: $0.id, recipients: 1, created: 1, updated: 0, suppressed: 0, isReplay: false)
        }
        let count: Int? = state.withLock { state in
            guard state.isStalled else { return nil }
            state.waiting.append { completion(.success(outcomes)) }
            state.mostWaiting = max(state.mostWaiting, state.waiting.count)
            return state.waiting.count
        }
        if let count { report.yield(count) } else { completion(.success(outcomes)) }
    }

    /// Waits until so many publishes wait.
    func awaitWaiting(_ count: Int) async {
        for await waiting in counts where waiting >= count { return }
    }

    /// Answers all that wait, and from now on at once.
    func goOn() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isStalled = false
            return state.waiting
        }
        for answer in waiting { answer() }
    }

    var waitingRows: Int { state.withLock { $0.waiting.count } }

    // MARK: What publishers have no business with

    func onCommit(_ listener: @escaping @Sendable (Commit) -> Void) { refuse() }
    func close(completion: @escaping @Sendable () -> Void) { refuse() }
    func acknowledge(_ user: UserID, upTo seq: Int64) { refuse() }

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

    func leasePushJobs(
        _ limit: Int, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedPushJobs, StoreError>) -> Void
    ) { refuse() }

    func settle(
        _ job: PushJob, as action: PushAction, attempt: PushAttempt,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
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
    func statistics(completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void) { refuse() }

    private func refuse(_ caller: String = #function) { Issue.record("a publisher called \(caller)") }
}
