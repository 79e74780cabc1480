extension CatalogSet {
    /// The rule of the one catalog that names this feed; nil if none does.
    package func feedRule(for feed: String) -> FeedRule? {
        for rules in feedRules {
            if let rule = rules.rule(for: feed) { return rule }
        }
        return nil
    }

    /// The feeds that catalogs name, sorted; a pattern such as `query:*` stands for many.
    package var feedNames: [String] { catalogs.flatMap(\.feeds.names).sorted() }

    /// The claims that feeds' rules ask for.
    package var feedClaims: [String] { catalogs.flatMap(\.feeds.claims) }
}
