package import Inbox

/// The condition for reading a feed; checked in the same snapshot as the read.
package enum FeedPass: Sendable, Hashable {
    case open
    case member(UserID, of: String)
}
