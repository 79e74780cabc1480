import Inbox
import Storage

/// What few subscriptions have: that only some items are asked for, or that the feed is not open to all.
final class FeedTerms {
    /// Only items with one of these are told; nil: all.
    private let tags: Set<ExactText>?
    let pass: FeedPass

    /// - Parameter tags: empty for all items.
    /// - Returns: nil for all items of an open feed.
    init?(tags: [String], pass: FeedPass) {
        if tags.isEmpty, pass == .open { return nil }
        self.tags = tags.isEmpty ? nil : Set(tags.map { ExactText($0) })
        self.pass = pass
    }

    var wantsAll: Bool { tags == nil }

    /// Whether an item with these tags is asked for.
    func wants(_ itemTags: [String]) -> Bool {
        guard let tags else { return true }
        return itemTags.contains { tags.contains(ExactText($0)) }
    }
}
