/// One item for a feed, and what the feed's rule finds in it.
package struct FeedItem: Sendable, Hashable {
    package let feed: String
    /// The item as compact JSON.
    package private(set) var json: [UInt8]
    /// When it was published; the feed makes it strictly increasing, see ``stamp(_:)``.
    package private(set) var publishedAt: Timestamp
    /// While the feed keeps an item of this id, another one of it is the same item.
    package let id: String?
    /// Whose it is: what they publish is no news to them.
    package let author: String?
    package let tags: [String]
    /// Where in ``json`` the stamp's text begins; nil if the item does not show it.
    private let stampPlace: Int?

    /// - Parameter stampPlace: where `json` has a stamp of the form that ``Timestamp/iso8601`` writes.
    package init(
        feed: String, json: [UInt8], publishedAt: Timestamp, id: String? = nil, author: String? = nil,
        tags: [String] = [], stampPlace: Int? = nil
    ) {
        self.feed = feed
        self.json = json
        self.publishedAt = publishedAt
        self.id = id
        self.author = author
        self.tags = tags
        self.stampPlace = stampPlace
    }

    /// Sets when it was published, also where the item shows that.
    package mutating func stamp(_ moment: Timestamp) {
        publishedAt = moment
        guard let stampPlace else { return }
        let text = moment.iso8601.utf8
        json.replaceSubrange(stampPlace..<stampPlace + text.count, with: text)
    }
}
