/// Events that applications have left in the store's database, each within a transaction of its own.
///
/// All calls return at once. Completions run on a queue of the store's, or on the caller's thread if the call is refused.
package protocol Outbox: Sendable {
    /// Reads the first rows that wait, in the order of their numbers. Rows of a transaction that is still open are not
    /// there yet.
    ///
    /// - Parameters:
    ///   - limit: the most rows.
    ///   - bytes: no further row is read once so many bytes of events were; the first one is always read.
    func rows(
        _ limit: Int, bytes: Int, completion: @escaping @Sendable (Result<[OutboxRow], StoreError>) -> Void)

    /// Removes rows, or notes what became of them. A crash of the database may undo it for the last moment.
    func settle(
        _ settlement: OutboxSettlement, completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)
}
