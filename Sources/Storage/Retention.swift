package import Inbox

/// What goes by itself: old notifications, old decisions, and what is left of people who were erased. Calls and
/// completions as in ``Store``; all of it in steps, so that other writes go on.
package protocol Retention: AnyObject, Sendable {
    /// Removes the oldest notifications of each inbox as long as they were stored before `limit`, and those that are
    /// more than an inbox may hold; tells how many went. For sessions it is as if the person had removed them.
    ///
    /// - Parameter limit: nil to go by the number only.
    func trimInboxes(
        olderThan limit: Timestamp?, at now: Timestamp,
        completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)

    /// Lets go of decisions that the trail has kept long enough, and tells how many of its rows went. Publishes do so
    /// as well, a step at a time; this is for a store to which nobody publishes.
    func sweepTrail(at now: Timestamp, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)

    /// Goes on with erasing those whose erasure was broken off; tells how many there were.
    func finishErasures(completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)
}
