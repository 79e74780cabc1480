package import Store

/// One write that waits for its commit.
package protocol Write: AnyObject, Sendable {
    /// About how many rows the write may touch.
    var rows: Int { get }
    /// Whether the write is a dry run, which is undone and shares its transaction with no other write.
    var isRehearsal: Bool { get }
    /// The key of the publisher or feed whose turn the write takes; nil: the server's own. See ``WriteTurns``.
    var owner: String? { get }

    /// Adds the idempotency keys that the write will ask for, to be looked up together with those of other writes.
    func gatherKeys(into keys: inout [EventKey])

    /// Adds the people whom the write serves, where they are known by now. Called where the engine fetches their facts
    /// together, once ``OpenTransaction/knownKeys`` are known.
    func gatherPeople(into people: inout ExpectedPeople, in open: OpenTransaction)

    /// Adds the open batches that the write will ask for; called behind ``gatherPeople(into:in:)``.
    func gatherBatches(into batches: inout [(inbox: Int64, key: String)], in open: OpenTransaction) throws

    /// Performs the write in the open transaction and returns its report, to be run after the commit.
    ///
    /// An expected refusal, which must leave nothing behind in the transaction, is a report, too. Throws an error that
    /// makes the transaction worthless.
    func perform(in open: OpenTransaction) throws -> WriteReport

    /// Tells the caller that the write failed.
    func fail(_ reason: StoreError)
}

extension Write {
    package func gatherPeople(into people: inout ExpectedPeople, in open: OpenTransaction) {}
    package func gatherBatches(into batches: inout [(inbox: Int64, key: String)], in open: OpenTransaction) throws {}
}
