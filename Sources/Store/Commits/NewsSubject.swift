package import Inbox

/// What sessions can hear news of: somebody's inbox, or a feed.
package enum NewsSubject: Sendable, Hashable {
    case inbox(UserID)
    /// A feed by its key.
    case feed(ExactText)
}
