import Inbox

/// A content that a transaction has brought up and not written yet: its row is written once, with all its uses.
struct NewContent {
    let id: Int64
    let content: Content
    let event: String
    /// Whose doing it tells of.
    let actor: String?
    /// How many notifications show it so far.
    var uses: Int64 = 0

    /// Whether a push reads it when it leaves, the next event of a batch grows it, or many have it on their pages. All
    /// others, which are nearly all, are mostly never read again.
    var isLikelyAskedFor: Bool { uses > 1 || content.batch != nil || content.sharedPush != nil }
}
