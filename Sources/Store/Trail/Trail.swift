package import Inbox
package import Push

/// The decisions about people and their later steps, and what publishers do to earlier events. Calls and completions as
/// in ``Store``.
package protocol Trail: AnyObject, Sendable {
    /// The decisions about one event; nil for an unknown or forgotten event.
    func trail(of query: TrailQuery, completion: @escaping @Sendable (Result<TrailReport?, StoreError>) -> Void)

    /// The latest decisions about one person, the newest first; nil for a person without an inbox.
    ///
    /// - Parameter before: the event before which to continue; nil for the newest.
    func trail(
        of user: UserID, before: String?, limit: Int,
        completion: @escaping @Sendable (Result<PersonalTrail?, StoreError>) -> Void)

    /// The decisions about one notification; nil if it is not in this person's inbox.
    ///
    /// - Parameter firstName: the lowest id of events that were taken in at a time.
    func trail(
        of notification: NotificationID, user: UserID, firstName: @escaping @Sendable (Timestamp) -> String,
        completion: @escaping @Sendable (Result<NotificationTrail?, StoreError>) -> Void)

    /// The answers to events that were all taken in before, within the lifetime of their keys. Nil if one was not, or
    /// if its key stands for another event.
    func outcomes(
        ofRepeated events: [KeyedEvent], by publisher: String, at now: Timestamp,
        completion: @escaping @Sendable (Result<[PublishOutcome]?, StoreError>) -> Void)

    /// Returns what ``Store/publish(_:completion:)`` would do with a publication, by doing it in a transaction that is
    /// undone.
    ///
    /// An event for many is tried in pages, with other writes in between, and only on so many people, see
    /// ``Rehearsal/isWhole``.
    ///
    /// - Parameter limit: how many recipients of each event are told at most; for an event for many, those of its first
    ///   page.
    func rehearse(
        _ publication: Publication, limit: Int,
        completion: @escaping @Sendable (Result<[Rehearsal], StoreError>) -> Void)

    /// Takes back all events with this key: their notifications go, batches shrink, and the key is free again. In
    /// steps, so that other writes go on; a repeated call continues an interrupted one, and then changes nothing. Nil
    /// for an unknown key.
    ///
    /// - Parameter catalogs: render what is left of a batch.
    func retract(
        key: String, by publisher: String, catalogs: CatalogSet, at now: Timestamp,
        completion: @escaping @Sendable (Result<Retraction?, StoreError>) -> Void)

    /// Changes members of a person's notifications, and returns how many notifications have changed.
    func patch(_ patch: NotificationPatch, completion: @escaping @Sendable (Result<Int, StoreError>) -> Void)

    /// Notes in the trail of each of a failed push's notifications that the push was sent again, past the queue. Does
    /// nothing if the person was erased since.
    ///
    /// - Parameter job: the failed push, whose lease is over.
    func note(
        _ retry: TrailRetry, of job: PushJob, at now: Timestamp,
        completion: @escaping @Sendable (Result<Void, StoreError>) -> Void)
}
