package import Inbox

/// An item that an event has published to a feed.
package struct TrailedItem: Sendable, Hashable {
    package let feed: String
    package let offset: Int64

    package init(feed: String, offset: Int64) { (self.feed, self.offset) = (feed, offset) }
}

/// An event as the trail knows it.
package struct TrailedEvent: Sendable, Hashable {
    package let id: String
    /// As a key of the event's app.
    package let publisher: String
    package let key: String?
    package let type: String
    /// The person who did it.
    package let actor: String?
    package let occurredAt: Timestamp?
    package let acceptedAt: Timestamp
    /// How often its key came again, and when last.
    package let repeats: Int
    package let repeatedAt: Timestamp?
    /// When the publisher took it back.
    package let retractedAt: Timestamp?
    /// The items that it published to feeds; some may be gone.
    package let items: [TrailedItem]
    /// What it asked each of its people; nil if it asked nothing.
    package let question: Question?

    package var app: AppName { AppName(ofKey: publisher) }

    package init(
        id: String, publisher: String, key: String?, type: String, actor: String?, occurredAt: Timestamp?,
        acceptedAt: Timestamp, repeats: Int, repeatedAt: Timestamp?, retractedAt: Timestamp?,
        items: [TrailedItem] = [], question: Question? = nil
    ) {
        (self.items, self.question) = (items, question)
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
