package import Inbox

/// Events with too many recipients for one commit. Calls and completions as in ``Store``.
///
/// ``Store/publish(_:completion:)`` takes such an event in, with all its recipients. The queue's driver asks for one
/// page after the other, and other writes go on between pages. Each recipient is reached exactly once, even if the
/// process ends meanwhile, since a page and the progress behind it are one commit.
package protocol BroadcastQueue: AnyObject, Sendable {
    /// The ids of the events that have not reached all their people, the oldest first.
    func openBroadcasts(completion: @escaping @Sendable (Result<[String], StoreError>) -> Void)

    /// Delivers the next page; nil for an unknown event. An event that has ended stays unchanged.
    ///
    /// - Parameter route: routes the event with the page's people, by the current catalogs; runs on the store's queue.
    func deliverPage(
        of event: String, at now: Timestamp,
        route: @escaping @Sendable (Event) -> Result<RoutedEvent, EventProblem>,
        completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void)

    /// The progress of an event; nil if it needed no pages, or ended longer ago than keys are remembered.
    func broadcast(of event: String, completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void)
}
