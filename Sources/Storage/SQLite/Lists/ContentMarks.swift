import Inbox

/// By what of a content lists are filtered, as rows of notifications have it.
struct ContentMarks {
    let type: Int64
    let group: Int64?

    init(_ content: Content) {
        type = ListMark.of(content.type)
        group = content.group.map(ListMark.of)
    }
}
