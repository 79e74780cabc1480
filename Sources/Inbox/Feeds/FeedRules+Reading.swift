extension FeedRules {
    /// Reads a catalog's section `feeds`; mistakes become issues, and rules with mistakes are left out.
    init(_ catalog: MappingReader) {
        guard let feeds = catalog.mapping("feeds", known: nil) else {
            self.init()
            return
        }
        var rules: [FeedRule] = []
        for entry in feeds.entries {
            guard let rule = Self.rule(entry, feeds) else { continue }
            let twin = rules.first {
                $0.pattern.overlaps(rule.pattern) && !$0.pattern.isNarrower(than: rule.pattern)
                    && !rule.pattern.isNarrower(than: $0.pattern)
            }
            if let twin {
                feeds.issues.add(
                    line: entry.line, column: entry.column, key: entry.value.path,
                    "\"\(twin.pattern.text)\" is about the same feeds; expected one rule a feed")
            }
            rules.append(rule)
        }
        self.init(rules)
    }

    private static let keys = ["access", "id", "author", "time", "tags", "zone", "length"]

    private static func rule(_ entry: SourceNode.Entry, _ feeds: MappingReader) -> FeedRule? {
        guard let pattern = FeedPattern(entry.key) else {
            feeds.issues.add(
                line: entry.line, column: entry.column, key: entry.value.path,
                "expected a feed's name like posts, or a shape with one * like query:*")
            return nil
        }
        guard FeedName.isValid(pattern.example) else {
            feeds.issues.add(
                line: entry.line, column: entry.column, key: entry.value.path, "expected \(FeedName.expectation)")
            return nil
        }
        guard let rule = MappingReader(entry.value, known: keys, issues: feeds.issues) else { return nil }
        let access = access(of: rule, pattern)
        let length = rule["length"].map { rule.wholeNumber($0, in: 0...1_000_000) } ?? FeedRule.defaultLength
        guard let access, let length else { return nil }
        if length == 0, let id = rule["id"] {
            rule.issues.add(id, "a feed of length 0 keeps no item that another one could be again; leave id out")
        }
        return FeedRule(
            pattern: pattern, access: access, id: rule["id"].flatMap(rule.path),
            author: rule["author"].flatMap(rule.path), time: rule["time"].flatMap(rule.path),
            tags: rule["tags"].flatMap(rule.path), zone: rule.zone("zone"), length: length,
            source: feeds.issues.place(line: entry.line, column: entry.column))
    }

    private static func access(of rule: MappingReader, _ pattern: FeedPattern) -> FeedAccess? {
        let expected = "public, {claim: NAME} or {topic: NAME}"
        guard let node = rule.required("access", expected: "who may read the feed: \(expected)") else { return nil }
        if node.scalar == "public" { return .everybody }
        guard case .mapping = node.value else {
            rule.issues.add(node, "expected \(expected)")
            return nil
        }
        guard let access = MappingReader(node, known: ["claim", "topic"], issues: rule.issues) else { return nil }
        switch (access["claim"], access["topic"]) {
        case (let claim?, nil): return access.plainText(claim).map { .claim($0) }
        case (nil, let topic?): return topicPattern(topic, access, pattern).map { .members(of: $0) }
        default:
            access.issues.add(node, "expected one of claim and topic")
            return nil
        }
    }

    private static func topicPattern(
        _ node: SourceNode, _ access: MappingReader, _ feed: FeedPattern
    ) -> FeedPattern? {
        guard let text = access.plainText(node) else { return nil }
        guard let topic = FeedPattern(text) else {
            access.issues.add(node, "expected a topic's name with at most one *")
            return nil
        }
        guard TopicName.isValid(topic.example) else {
            access.issues.add(node, "expected \(TopicName.expectation)")
            return nil
        }
        guard !topic.hasWildcard || feed.hasWildcard else {
            access.issues.add(node, "the feed's name has no *; expected a topic's name without one")
            return nil
        }
        return topic
    }
}
