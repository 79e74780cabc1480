package import Inbox

/// Where inboxes, push jobs and feeds are kept; the process's edge towards a disk or a database.
///
/// All calls return at once. A write's completion runs on the store's own queue after the commit, which is durable but
/// for what ``PushQueue/settle(_:at:completion:)`` tells; reads' completions on one of its readers' queues. Writes that
/// arrive together are committed together.
package protocol Store:
    PushQueue, DeviceDirectory, UserDirectory, TopicDirectory, BroadcastQueue, Retention, Trail, FeedDirectory
{
    /// Sets who hears of each commit, on the store's queue, before the completions of the writes in it.
    /// Commits are told in order, so a listener sees each inbox's changes in `seq` order. To be called once, before any
    /// write.
    ///
    /// - Parameter surround: is given what calls the listener and then the completions of a commit, and calls it, once,
    ///   before it returns.
    func onCommit(
        _ listener: @escaping @Sendable (Commit) -> Void,
        within surround: @escaping @Sendable (_ announce: () -> Void) -> Void)

    // MARK: Writes

    /// Takes in events, all or none: rows, counts, batches, push jobs and idempotency keys in one transaction.
    func publish(
        _ publication: Publication, completion: @escaping @Sendable (Result<[PublishOutcome], StoreError>) -> Void)

    /// Applies what a person does to their inbox; cancels the pushes of what they read or removed.
    func apply(
        _ command: InboxCommand, for user: UserID, at now: Timestamp,
        completion: @escaping @Sendable (Result<CommandOutcome, StoreError>) -> Void)

    /// Cancels the pushes of everything up to `seq`: an attentive session has it on screen.
    ///
    /// What cannot be written is kept, and tried again before any push is handed out, for as long as the process lives.
    /// - Parameter completion: nil where nobody waits for it; a failure tells of the first try.
    func acknowledge(
        _ user: UserID, upTo seq: Int64, at now: Timestamp,
        completion: (@Sendable (Result<Void, StoreError>) -> Void)?)

    /// Whether something that the user has acknowledged is not written yet. From any thread.
    func isAcknowledging(_ user: UserID) -> Bool

    // MARK: Reads

    /// Position and counts; an inbox that does not exist yet is created, so that its epoch holds from the first look
    /// on.
    func state(of user: UserID, completion: @escaping @Sendable (Result<InboxState, StoreError>) -> Void)

    func page(_ query: PageQuery, of user: UserID, completion: @escaping @Sendable (Result<Page, StoreError>) -> Void)

    /// The inbox with notifications of one group as one line each, the line with the newest first.
    func groups(
        _ limit: Int, of user: UserID, completion: @escaping @Sendable (Result<GroupPage, StoreError>) -> Void)

    /// What a session missed since `position`, or why it must start anew; read as of one moment.
    func recover(
        _ user: UserID, from position: InboxPosition?,
        completion: @escaping @Sendable (Result<Recovery, StoreError>) -> Void)

    /// What ``state(of:completion:)`` would answer, at once and without a read; nil where the store has to be asked:
    /// the inbox is not remembered, or the store is closed. From any thread.
    func rememberedState(of user: UserID) -> InboxState?

    /// What ``recover(_:from:completion:)`` would answer, as ``rememberedState(of:)`` tells; of contents only what
    /// frames show.
    func rememberedRecovery(of user: UserID, from position: InboxPosition?) -> Recovery?

    /// Counts for operators: queued pushes, rows, and by how much `unread` differs from the unread rows. Rows of a
    /// large store are counted in the background, and nobody waits for that: the last whole count is told, if there was
    /// one.
    ///
    /// The queue's length is told also where the rows cannot be read; the only error is ``StoreError/closed``.
    func statistics(at now: Timestamp, completion: @escaping @Sendable (Result<StoreStatistics, StoreError>) -> Void)

    /// Writes something that changes nothing: whether the disk takes it.
    func tryWriting(completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Moves what waits for a span of time along with the process' clock, which follows when this completes without
    /// failure.
    func follow(_ jump: ClockJump, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)

    /// Whether the database's file was found damaged, so that all writes are refused. From any thread.
    var isDamaged: Bool { get }

    /// How many rows were found since the store was opened that do not hold what was written to them, up to a thousand:
    /// they are left out. From any thread.
    var damagedRows: Int { get }

    /// How many rows wait to be written or are being written. From any thread.
    var waitingRows: Int { get }

    /// Ends what is under way and closes; runs the completion when nothing of the store runs any more.
    func close(completion: @escaping @Sendable () -> Void)
}

extension Store {
    /// As above, where nobody waits for it.
    package func acknowledge(_ user: UserID, upTo seq: Int64, at now: Timestamp) {
        acknowledge(user, upTo: seq, at: now, completion: nil)
    }
}
