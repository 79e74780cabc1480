import Inbox

/// A content that a transaction made and has not written yet.
struct NewContent {
    let id: Int64
    let content: Content
    let event: String
    /// The person whose deed it tells of.
    let actor: String?
}
