/// Reads the feeds to which an event publishes items.
struct EventFeedReader {
    let scope: PlaceholderScope
    let issues: CatalogIssues

    func feed(_ node: SourceNode) -> (feed: EventFeed, node: SourceNode)? {
        guard let reader = MappingReader(node, known: ["feed", "each", "item"], issues: issues) else { return nil }
        let name = reader.required("feed", expected: "a feed's name, like posts or query:{{id}}")
        let item = reader.required("item", expected: "where the item is in the data").flatMap { path($0, reader) }
        let list = reader["each"].map { path($0, reader) }
        guard let name, let text = reader.text(name), let item else { return nil }
        if let list, list == nil { return nil }
        guard let parts = parts(of: text, name, reader, inElement: list != nil) else { return nil }
        if list != nil, parts.path == nil {
            issues.add(name, "expected a name with a value of each element, like query:{{id}}")
            return nil
        }
        let feed = EventFeed(
            prefix: parts.prefix, path: parts.path, suffix: parts.suffix, list: list ?? nil, item: item)
        return (feed, name)
    }

    /// A path that the event declares.
    private func path(_ node: SourceNode, _ reader: MappingReader) -> [String]? {
        guard case .data(let path)? = reader.placeholder(node, isText: false, in: scope) else { return nil }
        return path
    }

    private func parts(
        of text: String, _ node: SourceNode, _ reader: MappingReader, inElement: Bool
    ) -> (prefix: String, path: [String]?, suffix: String)? {
        guard let open = text.firstRange(of: "{{") else { return (text, nil, "") }
        let tail = text[open.upperBound...]
        guard let close = tail.firstRange(of: "}}"), !tail[close.upperBound...].contains("{{") else {
            issues.add(node, "expected a name with at most one {{value}}")
            return nil
        }
        let scope = inElement ? PlaceholderScope.element : scope
        do {
            let path = try Template.path(tail[..<close.lowerBound].trimmingSpaces)
            guard case .data(let data) = try scope.placeholder(for: path, isText: true) else {
                issues.add(node, "expected a path in the event's data within {{ }}")
                return nil
            }
            return (String(text[..<open.lowerBound]), data, String(tail[close.upperBound...]))
        } catch {
            issues.add(node, error.message)
            return nil
        }
    }
}

extension Substring {
    fileprivate var trimmingSpaces: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension FeedRules {
    /// Finds mistakes in the feeds that an event names.
    func check(_ feed: EventFeed, at node: SourceNode, _ issues: CatalogIssues) {
        guard let rule = rule(for: feed.example) else {
            let known = names.isEmpty ? "a rule under feeds" : Spelling.list(names)
            issues.add(node, "no feed of this catalog has such a name; expected \(known)")
            return
        }
        if !rule.keepsItems {
            issues.add(node, "a feed of length 0 keeps nothing, so an event cannot publish to it; expected another one")
        }
    }
}
