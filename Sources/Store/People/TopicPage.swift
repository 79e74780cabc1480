package import Inbox

/// Some members of a topic, read as of one moment.
package struct TopicPage: Sendable, Hashable {
    package let members: [UserID]
    /// How many members there are in all.
    package let count: Int
    /// Whether more follow.
    package let hasMore: Bool

    package init(members: [UserID], count: Int, hasMore: Bool) {
        self.members = members
        self.count = count
        self.hasMore = hasMore
    }
}
