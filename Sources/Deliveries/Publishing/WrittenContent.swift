package import Inbox

/// A content and its row.
package struct WrittenContent {
    package let id: Int64
    package let content: Content
    package let marks: ContentMarks

    package init(id: Int64, content: Content) {
        (self.id, self.content) = (id, content)
        marks = ContentMarks(content)
    }
}
