import Inbox
import Store

/// The terms that few subscriptions have: a choice of items, or a feed that is not open to all.
final class FeedTerms {
    /// Only items with one of these tags are told; nil for all items.
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

    /// Whether the subscriber wants an item with these tags.
    func wants(_ itemTags: [String]) -> Bool {
        guard let tags else { return true }
        return itemTags.contains { tags.contains(ExactText($0)) }
    }
}
