/// The feed rules of one catalog.
package struct FeedRules: Sendable {
    /// If two rules match the same feed, the narrower one comes first.
    private let rules: [FeedRule]

    package init(_ rules: [FeedRule] = []) { self.rules = rules.sorted { $0.pattern.isNarrower(than: $1.pattern) } }

    /// In the order in which they are tried.
    package var all: [FeedRule] { rules }

    var isEmpty: Bool { rules.isEmpty }

    /// The rule for the feed of this name: of several, the one that fixes most of the name.
    package func rule(for feed: String) -> FeedRule? { rules.first { $0.pattern.match(feed) != nil } }

    /// The feeds that are named, sorted; a pattern such as `query:*` stands for many.
    package var names: [String] { rules.map(\.pattern.text).sorted() }

    /// The claims that rules ask for, sorted.
    package var claims: [String] { Set(rules.compactMap(\.claim)).sorted() }

    /// The issues of catalogs that match the same feed: the name alone must tell whose feed it is.
    static func overlaps(among catalogs: [Catalog]) -> [CatalogError.Issue] {
        var issues: [CatalogError.Issue] = []
        for (index, catalog) in catalogs.enumerated() {
            let others = catalogs[..<index].flatMap { other in other.feeds.rules.map { (catalog: other, rule: $0) } }
            for rule in catalog.feeds.rules {
                guard let place = rule.source,
                    let other = others.first(where: { $0.rule.pattern.overlaps(rule.pattern) })
                else { continue }
                let message =
                    "catalog \"\(other.catalog.name)\" has \"\(other.rule.pattern.text)\", which is about the same "
                    + "feeds; expected one catalog a feed"
                issues.append(.init(place: place, key: "feeds.\(rule.pattern.text)", message: message))
            }
        }
        return issues
    }
}
