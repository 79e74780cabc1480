package import Inbox

/// An event as the trail knows it.
package struct TrailedEvent: Sendable, Hashable {
    package let id: String
    package let publisher: String
    package let key: String?
    package let type: String
    /// Who did it.
    package let actor: String?
    package let occurredAt: Timestamp?
    package let acceptedAt: Timestamp
    /// How often its key came again, and when last.
    package let repeats: Int
    package let repeatedAt: Timestamp?
    /// When the publisher took it back.
    package let retractedAt: Timestamp?

    package init(
        id: String, publisher: String, key: String?, type: String, actor: String?, occurredAt: Timestamp?,
        acceptedAt: Timestamp, repeats: Int, repeatedAt: Timestamp?, retractedAt: Timestamp?
    ) {
        self.id = id
        self.publisher = publisher
        self.key = key
        self.type = type
        self.actor = actor
        self.occurredAt = occurredAt
        self.acceptedAt = acceptedAt
        self.repeats = repeats
        self.repeatedAt = repeatedAt
        self.retractedAt = retractedAt
    }
}
