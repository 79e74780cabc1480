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
}
