package import Inbox

/// Removes old notifications, old decisions, and the remains of erased people. Calls and completions as in ``Store``;
/// all of it in steps, so that other writes go on.
package protocol Retention: AnyObject, Sendable {
    /// Removes the lowest notifications of each inbox's list: those stored, or come up again, before `limit`, and those
    /// beyond the inbox's maximum. Returns how many it removed. For sessions it is as if the person had removed them.
    ///
    /// - Parameter limit: nil to go by the maximum only.
    func trimInboxes(
        olderThan limit: Timestamp?, at now: Timestamp,
        completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)

    /// Removes decisions that the trail has kept long enough, and returns how many rows it removed. Publishes do that,
    /// too, step by step; this is for a store without publishes.
    func sweepTrail(at now: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)

    /// Completes interrupted erasures, and returns how many there were.
    func finishErasures(completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)
}
