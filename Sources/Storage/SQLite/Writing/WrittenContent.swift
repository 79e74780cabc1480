import Inbox

/// A content and its row.
struct WrittenContent {
    let id: Int64
    let content: Content
}
