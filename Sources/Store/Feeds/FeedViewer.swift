package import Inbox

/// The person that feeds are read for.
package enum FeedViewer: Sendable, Hashable {
    case user(UserID)
    /// The app's person with this address in their profile.
    case email(String, in: AppName)
}
