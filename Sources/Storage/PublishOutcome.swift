/// What one event did.
package struct PublishOutcome: Sendable, Hashable {
    package var event: String
    /// Recipients who got a new row or a grown one.
    package var recipients: Int
    package var created: Int
    package var updated: Int
    package var suppressed: Int
    /// The key was seen within a day: this is the first answer again, and nothing changed.
    package var isReplay: Bool
    /// How far an event has come that reaches its people page by page; nil for one that all had at once.
    package var broadcast: Broadcast?
    /// What it has published to feeds; not told of a replay.
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

    /// What a broadcast has done so far.
    package init(_ broadcast: Broadcast, isReplay: Bool = false) {
        self.init(
            event: broadcast.event, recipients: broadcast.recipients, created: broadcast.created,
            updated: broadcast.updated, suppressed: broadcast.suppressed, isReplay: isReplay, broadcast: broadcast)
    }
}
