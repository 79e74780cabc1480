import Deliveries
import Inbox
import Store

/// One write that waits for its commit.
protocol Write: AnyObject, Sendable {
    /// About how many rows the write may touch.
    var rows: Int { get }
    /// Whether the write is a dry run, which is undone and shares its transaction with no other write.
    var isRehearsal: Bool { get }
    /// The key of the publisher or feed whose turn the write takes; nil: the server's own. See ``WriteTurns``.
    var owner: String? { get }

    /// Adds the idempotency keys that the write will ask for, to be looked up together with those of other writes.
    func gatherKeys(into keys: inout [EventKey])

    /// Performs the write in the open transaction and returns its report, to be run after the commit.
    ///
    /// An expected refusal, which must leave nothing behind in the transaction, is a report, too. Throws an error that
    /// makes the transaction worthless.
    func perform(in open: OpenTransaction) throws -> WriteReport

    /// Tells the caller that the write failed.
    func fail(_ reason: StoreError)
}

/// Tells a caller the result of its write.
enum WriteReport: Sendable {
    /// A case of its own, as nearly all are such: nothing is allocated for it.
    case published(Result<[PublishOutcome], StoreError>, to: @Sendable (Result<[PublishOutcome], StoreError>) -> Void)
    case other(@Sendable () -> Void)

    func tell() {
        switch self {
        case .published(let result, let completion): completion(result)
        case .other(let tell): tell()
        }
    }
}
