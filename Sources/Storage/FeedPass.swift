package import Inbox

/// On what condition somebody may look at a feed; read in the same snapshot as what they get.
package enum FeedPass: Sendable, Hashable {
    case open
    case member(UserID, of: String)
}
