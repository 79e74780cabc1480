package import Inbox

/// What goes by itself: old notifications, and what is left of people who were erased. Calls and completions as in ``Store``;
/// all of it in steps, so that other writes go on.
package protocol Retention: AnyObject, Sendable {
    /// Removes the oldest notifications of each inbox as long as they are older than `limit`, and those that are more than an
    /// inbox may hold; tells how many went. For sessions it is as if the person had removed them.
    ///
    /// - Parameter limit: nil to go by the number only.
    func trimInboxes(
        olderThan limit: Timestamp?, at now: Timestamp,
        completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)

    /// Goes on with erasing those whose erasure was broken off; tells how many there were.
    func finishErasures(completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)
}
