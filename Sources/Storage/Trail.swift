package import Inbox

/// What was decided about whom, and what became of it; and what publishers do to events that were taken in before.
/// Calls and completions as in ``Store``.
package protocol Trail: AnyObject, Sendable {
    /// The decisions about one event; nil for one of which nothing is known, or no longer.
    func trail(of query: TrailQuery, completion: @escaping @Sendable (Result<TrailReport?, StoreError>) -> Void)

    /// The latest decisions about one person, the newest first; nil for somebody who has no inbox.
    ///
    /// - Parameter before: the event before which to go on; nil for the newest.
    func trail(
        of user: UserID, before: String?, limit: Int,
        completion: @escaping @Sendable (Result<PersonalTrail?, StoreError>) -> Void)

    /// What was decided about one notification; nil for one that is not in this person's inbox.
    ///
    /// - Parameter firstName: what no event is named before that was taken in at a time.
    func trail(
        of notification: NotificationID, user: UserID, firstName: @escaping @Sendable (Timestamp) -> String,
        completion: @escaping @Sendable (Result<NotificationTrail?, StoreError>) -> Void)

    /// The answers to events that were all taken in before, within the lifetime of their keys; nil if one of them was
    /// not, or if its key stands for another event.
    func outcomes(
        ofRepeated events: [KeyedEvent], by publisher: String, at now: Timestamp,
        completion: @escaping @Sendable (Result<[PublishOutcome]?, StoreError>) -> Void)

    /// Tells what ``Store/publish(_:completion:)`` would do with a publication, by doing it in a transaction that is
    /// undone.
    ///
    /// An event for many is tried in pages, other writes in between, on a great many people at most, see
    /// ``Rehearsal/isWhole``.
    ///
    /// - Parameter limit: so many recipients of each event are told at most, of an event for many those of its first
    ///   page.
    func rehearse(
        _ publication: Publication, limit: Int,
        completion: @escaping @Sendable (Result<[Rehearsal], StoreError>) -> Void)

    /// Takes back all events that came with this key: their notifications go, batches shrink, and the key is free
    /// again. In steps, so that other writes go on; asked again, it goes on where it was interrupted, and then changes
    /// nothing. Nil for a key of which nothing is known.
    ///
    /// - Parameter catalogs: what is left of a batch is rendered by them.
    func retract(
        key: String, by publisher: String, catalogs: CatalogSet, at now: Timestamp,
        completion: @escaping @Sendable (Result<Retraction?, StoreError>) -> Void)

    /// Changes members of a person's notifications; tells how many of them have changed.
    func patch(_ patch: NotificationPatch, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)
}
