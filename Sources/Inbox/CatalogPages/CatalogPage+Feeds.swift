/// The section about the catalog's feeds.
extension CatalogPage {
    var feedTable: String? {
        let rules = catalog.feeds.all
        guard !rules.isEmpty else { return nil }
        let rows = rules.map { rule in
            [Markdown.code(rule.pattern.text), readers(of: rule.access), items(rule), kept(rule)]
        }
        let header = ["feed", "who may read it", "an item's members", "keeps"]
        return "## Feeds\n\n" + MarkdownTable(header: header, rows: rows).text
    }

    private func readers(of access: FeedAccess) -> String {
        switch access {
        case .everybody: "everybody with a token"
        case .claim(let claim): "whose token has its name in the claim \(Markdown.code(claim))"
        case .members(let topic): "the members of the topic \(Markdown.code(topic.text))"
        }
    }

    private func items(_ rule: FeedRule) -> String {
        let members: [(String, [String]?)] = [
            ("id", rule.id), ("author", rule.author), ("time, written by the feed", rule.time), ("tags", rule.tags),
        ]
        return members.compactMap { name, path in path.map { "\(Markdown.code($0.joined(separator: "."))): \(name)" } }
            .joined(separator: "; ")
    }

    private func kept(_ rule: FeedRule) -> String {
        rule.keepsItems ? "\(rule.length) items" : "nothing: items go only to sessions subscribed at that moment"
    }
}
