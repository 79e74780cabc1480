import Inbox

/// A content that a transaction made and has not written yet: its row is written once, with all its uses.
struct NewContent {
    let id: Int64
    let content: Content
    let event: String
    /// The person whose deed it tells of.
    let actor: String?
    /// How many notifications show it so far.
    var uses: Int64 = 0

    /// Whether a waiting push reads it, the next event of a batch grows it, or many have it on their pages. Nearly all
    /// contents are none of these, and mostly never read again.
    var isLikelyAskedFor: Bool { uses > 1 || content.batch != nil || content.sharedPush != nil }
}
