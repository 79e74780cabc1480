package import Inbox
package import Store

/// Idempotency keys and their uses. The trail adds keys, when the transaction is flushed.
package protocol KeyRows: AnyObject {
    /// The keys that some event has had, however long ago.
    func known(among keys: [EventKey]) throws -> Set<EventKey>
    /// The use of a key; nil for a new or an expired one.
    func use(of key: String, by publisher: String, at now: Timestamp, lifetime: Duration) throws -> KeyUse?
    /// Writes the final counts of an event.
    func update(_ outcome: PublishOutcome) throws
    /// From now on the key is as good as new.
    func remove(_ key: String, of publisher: String) throws
}
