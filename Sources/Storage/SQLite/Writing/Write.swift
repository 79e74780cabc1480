import Inbox

/// One write that waits for its commit.
protocol Write: AnyObject, Sendable {
    /// How many rows it may touch, roughly.
    var rows: Int { get }
    /// Whether it is undone when it is done: it shares its transaction with nothing else.
    var isRehearsal: Bool { get }
    /// Whether its caller is told only when the disk has it. If not, it is told of the commit, and a power cut may take
    /// that back; ``OpenTransaction/promise()`` makes an exception.
    var isPromised: Bool { get }

    /// Adds the idempotency keys that it is going to ask for, which are then looked up with those of other writes.
    func gatherKeys(into keys: inout [KeyTable.Name])

    /// Adds those whose inboxes it is likely to look at, as far as it knows them.
    func gatherUsers(into users: inout [UserID])

    /// Does it in the open transaction and returns what tells the caller, to be run after the commit.
    ///
    /// An expected refusal, which must leave nothing behind in the transaction, is told the same way. Throws what makes
    /// the transaction worthless.
    func perform(in open: OpenTransaction) throws -> WriteReport

    /// Tells the caller that it cannot be done.
    func fail(_ reason: StoreError)
}

/// Tells a caller what became of its write.
enum WriteReport: Sendable {
    /// By itself, as nearly all are: nothing is allocated for it.
    case published(Result<[PublishOutcome], StoreError>, to: @Sendable (Result<[PublishOutcome], StoreError>) -> Void)
    case other(@Sendable () -> Void)

    func tell() {
        switch self {
        case .published(let result, let completion): completion(result)
        case .other(let tell): tell()
        }
    }
}
