import Inbox

/// A content and its row.
struct WrittenContent {
    let id: Int64
    let content: Content
    let marks: ContentMarks

    init(id: Int64, content: Content) {
        (self.id, self.content) = (id, content)
        marks = ContentMarks(content)
    }
}
