package import Inbox

/// The numbers of a content by which lists are filtered; rows of notifications hold them.
package struct ContentMarks {
    package let type: Int64
    package let group: Int64?

    package init(_ content: Content) {
        type = ListMark.of(content.type)
        group = content.group.map(ListMark.of)
    }
}
