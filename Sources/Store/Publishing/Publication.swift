package import Inbox

/// Events that are taken in together, all or none.
package struct Publication: Sendable {
    package struct Entry: Sendable {
        package let routed: RoutedEvent
        /// Our id, drawn at random by the caller; the answer has it, and it is kept with the content.
        package let id: String
        /// A digest of the event as it was sent: the same key with another fingerprint is a mistake. Without a key, it
        /// has no meaning.
        package let fingerprint: UInt64

        package init(routed: RoutedEvent, id: String, fingerprint: UInt64) {
            self.routed = routed
            self.id = id
            self.fingerprint = fingerprint
        }
    }

    /// About how many rows it may write.
    package var rows: Int {
        entries.reduce(0) { sum, entry in entry.routed.routes.reduce(sum + 1) { $0 + $1.list.users.count } }
    }

    /// The owner of the idempotency keys.
    package let publisher: String
    package let entries: [Entry]
    package let now: Timestamp

    package init(publisher: String, entries: [Entry], now: Timestamp) {
        self.publisher = publisher
        self.entries = entries
        self.now = now
    }
}
