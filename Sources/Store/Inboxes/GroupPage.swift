package import Inbox

/// An inbox's groups, the one with the newest notification first, read as of one moment.
package struct GroupPage: Sendable {
    package let state: InboxState
    package let groups: [NotificationGroup]
    /// Whether older groups follow.
    package let hasMore: Bool

    package init(state: InboxState, groups: [NotificationGroup], hasMore: Bool) {
        self.state = state
        self.groups = groups
        self.hasMore = hasMore
    }
}
