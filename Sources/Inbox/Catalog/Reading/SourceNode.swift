/// A piece of a catalog's YAML with its place, so that an issue can point at it.
struct SourceNode {
    enum Value {
        /// A quoted scalar is always a string.
        case scalar(String, isQuoted: Bool)
        case list([SourceNode])
        case mapping([Entry])
    }

    struct Entry {
        let key: String
        let line: Int
        let column: Int
        let value: SourceNode
    }

    /// The path of keys from the top: `types.ROOM_LIKE.push.when`, `events.room_liked.routes[0].to`.
    let path: String
    let line: Int
    let column: Int
    let value: Value
    /// The language tag of a translation; nil for the catalog's own words.
    var language: String?

    /// The kind of the value, in words for a message.
    var kind: String {
        switch value {
        case .scalar: isNull ? "nothing" : "a plain value"
        case .list: "a list"
        case .mapping: "a mapping"
        }
    }

    var isNull: Bool {
        guard case .scalar(let text, isQuoted: false) = value else { return false }
        return ["", "~", "null", "Null", "NULL"].contains(text)
    }

    var scalar: String? {
        guard case .scalar(let text, _) = value, !isNull else { return nil }
        return text
    }
}
