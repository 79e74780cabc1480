/// The result of one event.
package struct PublishOutcome: Sendable, Hashable {
    package var event: String
    /// Recipients who got a new row or a grown one.
    package var recipients: Int
    package var created: Int
    package var updated: Int
    package var suppressed: Int
    /// Whether the key was known: then this is the first answer again, and nothing has changed.
    package var isReplay: Bool
    /// The progress of an event that is delivered page by page; nil for any other.
    package var broadcast: Broadcast?
    /// The items that it published to feeds; empty for a replay.
    package var items: [PublishedItem] = []

    package init(
        event: String, recipients: Int, created: Int, updated: Int, suppressed: Int, isReplay: Bool,
        broadcast: Broadcast? = nil
    ) {
        self.event = event
        self.recipients = recipients
        self.created = created
        self.updated = updated
        self.suppressed = suppressed
        self.isReplay = isReplay
        self.broadcast = broadcast
    }

    /// A broadcast's result so far.
    package init(_ broadcast: Broadcast, isReplay: Bool = false) {
        self.init(
            event: broadcast.event, recipients: broadcast.recipients, created: broadcast.created,
            updated: broadcast.updated, suppressed: broadcast.suppressed, isReplay: isReplay, broadcast: broadcast)
    }
}
