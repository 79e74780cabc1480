package import Inbox
package import Push

/// Keeps inboxes, push jobs and feeds; the process's edge towards a disk or a database.
///
/// All calls return at once. A write's completion runs on the store's own queue after the durable commit. A read's
/// completion runs on one of the readers' queues. A call that is refused at once completes before it returns. Writes that
/// arrive together are committed together.
package protocol Store:
    PushQueue, DeviceDirectory, UserDirectory, TopicDirectory, BroadcastQueue, Retention, Trail, Answering,
    FeedDirectory, WebhookQueue, ActivityQueue, ActivityDirectory
{
    /// Sets what hears of commits, before the completions of their writes. To be called once, before any write.
    ///
    /// - Parameters:
    ///   - written: hears of each commit of this process, in order, on the store's queue.
    ///   - tell: hears what sessions have to be told, other processes' commits included: each inbox's changes in `seq`
    ///     order, and each feed's by their offsets. Where several processes share the store, it hears only of subjects
    ///     that are watched, see ``watch(_:)``. One call comes after the other, on any queue.
    ///   - surround: gets a closure that calls the listeners and then a commit's completions, and must call it exactly
    ///     once before it returns.
    func onCommit(
        _ written: @escaping @Sendable (Commit) -> Void, tell: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void)

    // MARK: Several nodes

    /// Whether other processes may have the store open at the same time.
    var isShared: Bool { get }

    /// Has this process' sessions hear of a subject. To be called before the subject is read for them: what was
    /// committed before the read is in its result, and what comes later is told. From any thread.
    func watch(_ subject: NewsSubject)

    /// Ends one ``watch(_:)``.
    func unwatch(_ subject: NewsSubject)

    /// Passes items of feeds that keep none to the sessions of other nodes, at best.
    func pass(_ items: [FeedItem])

    /// Asks the other nodes that have sessions of a person.
    /// - Parameter completion: gets for each session of these nodes whether its app is in the foreground; after a second
    ///   without those of nodes that did not answer.
    func ask(_ question: NodeQuestion, completion: @escaping @Sendable ([Bool]) -> Void)

    /// Sets what answers other nodes' questions.
    func onQuestion(
        _ answering: @escaping @Sendable (NodeQuestion, _ reply: @escaping @Sendable ([Bool]) -> Void) -> Void)

    /// Whether this process does the work that one does for all: sweeps, ageing, and what dead nodes have left.
    var isOnDuty: Bool { get }

    /// Sets what is called each second on the node that is on duty. Never called where one process has the store.
    func onDuty(_ body: @escaping @Sendable () -> Void)

    // MARK: Writes

    /// Takes in events, all or none: rows, counts, batches, push jobs and idempotency keys in one transaction.
    func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void)

    /// Applies a person's command to their inbox, and cancels the pushes of notifications that it reads or removes.
    func apply(
        _ command: InboxCommand, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<CommandOutcome, StoreError>) -> Void)

    /// Cancels the pushes of everything up to `seq`: an attentive session has it on screen.
    ///
    /// An acknowledgement that cannot be written is kept in memory, and tried again before any push is handed out.
    /// - Parameter completion: nil if no caller waits; a failure is that of the first try.
    func acknowledge(
        _ user: UserID, upTo seq: Int64, at now: Timestamp,
        completion: (@Sendable (Result<Void, StoreError>) -> Void)?)

    /// Whether an acknowledgement of the user is not written yet. From any thread.
    func isAcknowledging(_ user: UserID) -> Bool

    // MARK: Reads

    /// Position and counts. A missing inbox is created, so that its epoch holds from the first read on.
    func state(of user: UserID, completion: @escaping @Sendable (Result<InboxState, StoreError>) -> Void)

    func page(_ query: PageQuery, of user: UserID, completion: @escaping @Sendable (Result<Page, StoreError>) -> Void)

    /// The inbox with one line for each group, the line with the newest notification first.
    func groups(
        _ limit: Int, of user: UserID, completion: @escaping @Sendable (Result<GroupPage, StoreError>) -> Void)

    /// The changes that a session missed since `position`, or a new start; read as of one moment.
    func recover(
        _ user: UserID, from position: InboxPosition?,
        completion: @escaping @Sendable (Result<Recovery, StoreError>) -> Void)

    /// The answer of ``state(of:completion:)``, at once and without a read; nil if the inbox is not remembered, or the
    /// store is closed. From any thread.
    func rememberedState(of user: UserID) -> InboxState?

    /// The answer of ``recover(_:from:completion:)``, under the terms of ``rememberedState(of:)``; its contents have
    /// only what frames show.
    func rememberedRecovery(of user: UserID, from position: InboxPosition?) -> Recovery?

    /// Counts for operators: queued pushes, rows, and by how much `unread` differs from the unread rows. A large
    /// store's rows are counted in the background: callers get the last whole count at once, if there was one.
    ///
    /// The queue's length is told even if rows cannot be read; the only error is ``StoreError/closed``.
    func statistics(at now: Timestamp, completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void)

    /// The nodes that share the store, by name; nil if one process has it for itself.
    func nodes(completion: @escaping @Sendable (Result<[NodeLease]?, StoreError>) -> Void)

    /// What this node knows of the database and of its own part, without asking; nil for a store of one process. From
    /// any thread.
    var nodeFigures: NodeFigures? { get }

    /// How long this node's commits took, with the wait for the disk or the database; nil where nobody measures. From
    /// any thread.
    var commitDurations: DurationCounts? { get }

    /// How many pushes wait at each push service; nil where that has to be read. From any thread.
    var waitingPushCounts: [Device.Provider: Int64]? { get }

    /// The free bytes on this machine's disk for the store; nil if it is elsewhere. From any thread.
    var freeBytes: Int64? { get }

    /// Tests whether the disk takes writes, with one that changes nothing.
    func tryWriting(completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Moves everything that waits for a span of time along with the process' clock, which follows when this completes
    /// without failure.
    func follow(_ jump: ClockJump, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// The clock of the process that had the store last; nil if none has told.
    var lastClock: ClockReading? { get }

    /// Whether the database's file was found damaged, so that all writes are refused. From any thread.
    var isDamaged: Bool { get }

    /// How many rows were found damaged since the store was opened, up to a thousand: they are left out. From any
    /// thread.
    var damagedRows: Int { get }

    /// How many rows wait to be written, without those of the commit under way. From any thread.
    var waitingRows: Int { get }

    /// With more rows than this waiting, writes are refused.
    var maximumWaitingRows: Int { get }

    /// Completes work under way and closes; the completion runs once nothing of the store runs any more.
    func close(completion: @escaping @Sendable () -> Void)
}

/// One process has the store: there is nobody else to hear of, or to ask.
extension Store {
    package func watch(_ subject: NewsSubject) {}
    package func unwatch(_ subject: NewsSubject) {}
    package func pass(_ items: [FeedItem]) {}
    package func ask(_ question: NodeQuestion, completion: @escaping @Sendable ([Bool]) -> Void) { completion([]) }
    package func onQuestion(
        _ answering: @escaping @Sendable (NodeQuestion, _ reply: @escaping @Sendable ([Bool]) -> Void) -> Void
    ) {}
    package var isShared: Bool { false }
    package var nodeFigures: NodeFigures? { nil }
    package func nodes(completion: @escaping @Sendable (Result<[NodeLease]?, StoreError>) -> Void) {
        completion(.success(nil))
    }
    package var commitDurations: DurationCounts? { nodeFigures?.commits }
    package var waitingPushCounts: [Device.Provider: Int64]? { nil }
    package var freeBytes: Int64? { nil }
    package var isOnDuty: Bool { true }
    package func onDuty(_ body: @escaping @Sendable () -> Void) {}
}

extension Store {
    /// Has one listener hear of each commit of a store that one process has for itself.
    package func onCommit(
        _ listener: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void
    ) {
        onCommit({ _ in }, tell: listener, within: surround)
    }

    /// As ``acknowledge(_:upTo:at:completion:)``, for a caller that does not wait.
    package func acknowledge(_ user: UserID, upTo seq: Int64, at now: Timestamp) {
        acknowledge(user, upTo: seq, at: now, completion: nil)
    }
}
