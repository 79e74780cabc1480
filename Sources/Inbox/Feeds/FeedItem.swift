/// What has become of an item that a feed had already: it stays at its own offset, and the change takes one of its own.
package enum FeedChange: Sendable, Hashable {
    /// The item at this offset says something else by now.
    case replaces(Int64)
    /// The item at this offset is gone.
    case removes(Int64)

    /// Of the item.
    package var target: Int64 {
        switch self {
        case .replaces(let offset), .removes(let offset): offset
        }
    }
}

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
    /// What it changes of an item that is there; nil for a new one.
    package var change: FeedChange?
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

    /// What tells that the item of this id is gone.
    /// - Parameter tags: those that it had.
    package static func removal(of id: String, at offset: Int64, from feed: String, tags: [String]) -> FeedItem {
        var item = FeedItem(
            feed: feed, json: Array("null".utf8), publishedAt: Timestamp(milliseconds: 0), id: id, tags: tags)
        item.change = .removes(offset)
        return item
    }

    /// As it stands for subscribers that follow by tags: those too of what was there before.
    package func joining(tags others: [String]) -> FeedItem {
        var item = FeedItem(
            feed: feed, json: json, publishedAt: publishedAt, id: id, author: author,
            tags: tags + others.filter { other in !tags.contains { ExactText($0) == ExactText(other) } },
            stampPlace: stampPlace)
        item.change = change
        return item
    }

    /// Sets when it was published, also where the item shows that.
    package mutating func stamp(_ moment: Timestamp) {
        publishedAt = moment
        guard let stampPlace else { return }
        let text = moment.iso8601.utf8
        json.replaceSubrange(stampPlace..<stampPlace + text.count, with: text)
    }
}
