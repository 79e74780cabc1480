import Inbox
import Push
import Store
import Testing

/// A store for a test that needs little of one: what it does not bring itself is a mistake of whoever calls it.
protocol RefusingStore: Store {}

extension RefusingStore {
    var waitingRows: Int { 0 }
    var maximumWaitingRows: Int { .max }
    var isDamaged: Bool { false }
    var damagedRows: Int { 0 }
    var lastClock: ClockReading? { nil }

    func onCommit(
        _ written: @escaping @Sendable (Commit) -> Void, tell: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        refuse()
    }
    func follow(_ jump: ClockJump, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void) { refuse() }
    func tryWriting(completion: @escaping @Sendable (Result<Void, StoreError>) -> Void) { refuse() }
    func close(completion: @escaping @Sendable () -> Void) { refuse() }
    func acknowledge(
        _ user: UserID, upTo seq: Int64, at now: Timestamp,
        completion: (@Sendable (Result<Void, StoreError>) -> Void)?
    ) { refuse() }
    func isAcknowledging(_ user: UserID) -> Bool { false }

    func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void
    ) { refuse() }

    func apply(
        _ command: InboxCommand, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<CommandOutcome, StoreError>) -> Void
    ) { refuse() }

    func replace(
        _ publication: FeedPublication, completion: @escaping @Sendable (Result<FeedReceipt?, StoreError>) -> Void
    ) { refuse() }

    func remove(
        item id: String, _ publication: FeedPublication,
        completion: @escaping @Sendable (Result<FeedReceipt?, StoreError>) -> Void
    ) { refuse() }

    func append(
        _ publication: FeedPublication,
        completion: @escaping @Sendable (Result<[FeedReceipt], StoreError>) -> Void
    ) { refuse() }

    func mark(
        of feed: String, by user: UserID, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedMark?, StoreError>) -> Void
    ) { refuse() }

    func markViewed(
        _ feed: String, upTo place: FeedMark.Place, by user: UserID,
        completion: @escaping @Sendable (Result<FeedMark, StoreError>) -> Void
    ) { refuse() }

    func summaries(
        of requests: [FeedSummaries.Request], for viewer: FeedViewer,
        completion: @escaping @Sendable (Result<FeedSummaries, StoreError>) -> Void
    ) { refuse() }

    func state(of user: UserID, completion: @escaping @Sendable (Result<InboxState, StoreError>) -> Void) { refuse() }

    func page(_ query: PageQuery, of user: UserID, completion: @escaping @Sendable (Result<Page, StoreError>) -> Void) {
        refuse()
    }

    func groups(
        _ limit: Int, of user: UserID, completion: @escaping @Sendable (Result<GroupPage, StoreError>) -> Void
    ) { refuse() }

    func recover(
        _ user: UserID, from position: InboxPosition?,
        completion: @escaping @Sendable (Result<Recovery, StoreError>) -> Void
    ) { refuse() }

    func rememberedState(of user: UserID) -> InboxState? { nil }
    func rememberedRecovery(of user: UserID, from position: InboxPosition?) -> Recovery? { nil }

    func items(
        of feed: String, _ query: FeedQuery, with pass: FeedPass,
        completion: @escaping @Sendable (Result<FeedPage?, StoreError>) -> Void
    ) { refuse() }

    func statistics(
        at now: Timestamp, completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void
    ) { refuse() }

    func register(
        _ device: Device, for user: UserID, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) { refuse() }

    func unregister(
        device id: String, app: String, of user: UserID,
        completion: @escaping @Sendable (Result<Bool, StoreError>) -> Void
    ) { refuse() }

    func devices(of user: UserID, completion: @escaping @Sendable (Result<[Device], StoreError>) -> Void) { refuse() }

    func installation(
        ofDevice id: String, app: String, of user: UserID?, in space: AppName,
        completion: @escaping @Sendable (Result<Installation?, StoreError>) -> Void
    ) { refuse() }

    func device(
        of provider: Device.Provider, token: String, in space: AppName,
        completion: @escaping @Sendable (Result<OwnedDevice?, StoreError>) -> Void
    ) { refuse() }

    func forgetDevices(
        lastSeenBefore time: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void
    ) { refuse() }

    func note(
        _ retry: TrailRetry, of job: PushJob, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) { refuse() }

    func leasePushJobs(
        _ limit: Int, for provider: Device.Provider, at now: Timestamp, until leaseEnd: Timestamp,
        completion: @escaping @Sendable (Result<LeasedPushJobs, StoreError>) -> Void
    ) { refuse() }

    func settle(
        _ outcomes: [PushOutcome], at now: Timestamp, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) { refuse() }

    private func refuse(_ caller: String = #function) { Issue.record("the store of this test was asked to \(caller)") }
}
