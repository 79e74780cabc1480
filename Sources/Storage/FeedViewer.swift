package import Inbox

/// For whom feeds are looked at.
package enum FeedViewer: Sendable, Hashable {
    case user(UserID)
    /// Whoever has this address in their profile.
    case email(String)
}
