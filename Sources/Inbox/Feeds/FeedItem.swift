/// A change of an item that a feed already has: the item keeps its offset, and the change takes an offset of its own.
package enum FeedChange: Sendable, Hashable {
    /// The item at this offset has new content.
    case replaces(Int64)
    /// The item at this offset was removed.
    case removes(Int64)

    /// The offset of the item.
    package var target: Int64 {
        switch self {
        case .replaces(let offset), .removes(let offset): offset
        }
    }
}

/// One item for a feed, and the values that the feed's rule finds in it.
package struct FeedItem: Sendable, Hashable {
    package let feed: String
    /// The item as compact JSON.
    package private(set) var json: [UInt8]
    /// The publishing time; the feed makes it strictly increasing, see ``stamp(_:)``.
    package private(set) var publishedAt: Timestamp
    /// While the feed keeps an item with this id, another item with it counts as the same one.
    package let id: String?
    /// The item's author; an item is no news to its own author.
    package let author: String?
    package let tags: [String]
    /// The change that this item makes to an earlier one; nil for a new item.
    package var change: FeedChange?
    /// The index in ``json`` where the stamp's text begins; nil if the item does not show it.
    package let stampPlace: Int?

    /// - Parameter stampPlace: the index in `json` of a stamp in the form of ``Timestamp/iso8601``.
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

    /// The item that reports the removal of an earlier one.
    /// - Parameter tags: the tags of the removed item.
    package static func removal(of id: String, at offset: Int64, from feed: String, tags: [String]) -> FeedItem {
        var item = FeedItem(
            feed: feed, json: Array("null".utf8), publishedAt: Timestamp(milliseconds: 0), id: id, tags: tags)
        item.change = .removes(offset)
        return item
    }

    /// The item for subscribers that follow by tags: it also has the tags of the item that it changes.
    package func joining(tags others: [String]) -> FeedItem {
        var item = FeedItem(
            feed: feed, json: json, publishedAt: publishedAt, id: id, author: author,
            tags: tags + others.filter { other in !tags.contains { ExactText($0) == ExactText(other) } },
            stampPlace: stampPlace)
        item.change = change
        return item
    }

    /// Sets the publishing time, also inside the item's JSON if that shows it.
    package mutating func stamp(_ moment: Timestamp) {
        publishedAt = moment
        guard let stampPlace else { return }
        let text = moment.iso8601.utf8
        json.replaceSubrange(stampPlace..<stampPlace + text.count, with: text)
    }
}
