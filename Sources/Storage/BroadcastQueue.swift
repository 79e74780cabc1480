package import Inbox

/// Events whose people are too many for one commit. Calls and completions as in ``Store``.
///
/// ``Store/publish(_:completion:)`` takes such an event in, with all its recipients, and whoever drives the queue asks
/// for one page after the other: between two pages others are served. Each recipient is reached exactly once, whatever
/// ends the process meanwhile, since a page and the place behind it are one commit.
package protocol BroadcastQueue: AnyObject, Sendable {
    /// The ids of the events that have not reached everybody, the oldest first.
    func openBroadcasts(completion: @escaping @Sendable (Result<[String], StoreError>) -> Void)

    /// Delivers the next page; nil for an event that is unknown. One that has ended is left as it is.
    ///
    /// - Parameter route: routes the event with the people of the page, by the catalogs that hold now; runs on the
    ///   store's queue.
    func deliverPage(
        of event: String, at now: Timestamp,
        route: @escaping @Sendable (Event) -> Result<RoutedEvent, EventProblem>,
        completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void)

    /// How far an event has come; nil for one that did not need pages, or ended longer ago than keys are remembered.
    func broadcast(of event: String, completion: @escaping @Sendable (Result<Broadcast?, StoreError>) -> Void)
}
